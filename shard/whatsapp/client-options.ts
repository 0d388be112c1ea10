import type { Socket } from "node:net";
import type { BinaryNode, CacheStore, Contact, GroupMetadata, proto, WAMessageKey } from "@whiskeysockets/baileys";
import type { Route } from "../egress/egress.js";
import type { Fence } from "../session/session-context.js";
import type { ChatTimer } from "./message/chat-timers.js";
import type { AuthStore } from "./auth-store.js";
import type { Departures } from "./group/departures.js";
import type { WhatsAppServices } from "./services.js";
import type { ClientVersion } from "./version/parse-version.js";

export interface ClientOptions {
  readonly auth: AuthStore;
  readonly fence: Fence;
  readonly route: Route;
  /** Called with each socket before anything is read from it. */
  readonly onSocket?: (socket: Socket) => void;
  readonly services: WhatsAppServices;
  /** Of the client, as the platform is told. */
  readonly version: ClientVersion;
  /** What outlives a connection: device lists, retry counts, who has left. */
  readonly caches: ClientCaches;
  readonly events: ClientEvents;
  /** A group that a text is about to be encrypted for. */
  readonly group: (jid: string) => Promise<GroupMetadata>;
  /** Content of a sent message that a device, the `participant`, asks for again. */
  readonly readSent: (key: WAMessageKey) => Promise<proto.IMessage | undefined>;
}

export interface ClientCaches {
  readonly devices: CacheStore;
  readonly counters: CacheStore;
  readonly departures: Departures;
}

/** Called from within the library: must not throw. */
export interface ClientEvents {
  /** References of the platform, one for each code that may be shown. */
  onReferences(references: readonly string[]): void;
  /** The code of the first one. */
  onQr(text: string): void;
  /** The secret in the codes is taken no longer. */
  onRefresh(): void;
  /** The account has a passkey, and the platform asks for it before it links this device. */
  onPasskeyRequest(stanza: BinaryNode): void;
  /** The phone goes on after that. */
  onContinuation(stanza: BinaryNode): void;
  onContacts(contacts: readonly Partial<Contact>[]): void;
  onProfile(): void;
  onGroupChanged(jid: string): void;
  /** The platform takes people's numbers as addresses no longer. */
  onMigrated(): void;
  /** For tokens to strangers; empty when there is none any more. */
  onSalt(salt: Buffer): void;
  /** The same from the phone's history, which the app state overrides. */
  onHistorySalt(salt: Buffer): void;
  /** The messages of a chat, a group included, disappear after another time. */
  onTimer(jid: string, timer: ChatTimer): void;
  /** A message of a private chat without a timer has come, `isOwn` from another device of the account. */
  onMessage(jid: string, isOwn: boolean): void;
  /** All private chats that the account had when this device was linked, by JID, each with its timer. */
  onChats(timers: ReadonlyMap<string, ChatTimer>): void;
  /** The devices of these users (JIDs, under one of their names or both) are others now. */
  onDevicesChanged(jids: readonly string[]): void;
  /** The keys of the account's app state have come: the address book can be read. */
  onAppStateKey(): void;
}
