import type { Socket } from "node:net";
import type {
  BinaryNode,
  CacheStore,
  Contact,
  GroupMetadata,
  NewChatMessageCapInfo,
  proto,
  ReachoutTimelockState,
  WAMessageKey,
} from "@whiskeysockets/baileys";
import type { Route } from "../egress/egress.js";
import type { Fence } from "../session/session-context.js";
import type { ChatTimer } from "./message/chat-timers.js";
import type { Incoming } from "./events/incoming.js";
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
  /** The client version that is sent to the platform. */
  readonly version: ClientVersion;
  /** State that outlives a connection: device lists, retry counts, departed members. */
  readonly caches: ClientCaches;
  readonly events: ClientEvents;
  /** Turns what arrives into events of the webhook. */
  readonly incoming: Incoming;
  /** Returns the group that a message is about to be encrypted for. */
  readonly group: (jid: string) => Promise<GroupMetadata>;
  /** Returns the content of a sent message that the device in `participant` requests again. */
  readonly readSent: (key: WAMessageKey) => Promise<proto.IMessage | undefined>;
}

export interface ClientCaches {
  readonly devices: CacheStore;
  readonly counters: CacheStore;
  readonly departures: Departures;
}

/** Callbacks of one connection. The library calls them, so a callback must not throw. */
export interface ClientEvents {
  /** The platform sent references, one for each QR code that may be shown. */
  onReferences(references: readonly string[]): void;
  /** The library made the QR code of the first reference. */
  onQr(text: string): void;
  /** The platform no longer accepts the secret in the QR codes. */
  onRefresh(): void;
  /** The account has a passkey, and the platform requires it before it links this device. */
  onPasskeyRequest(stanza: BinaryNode): void;
  /** The phone continues the linking by passkey with this stanza. */
  onContinuation(stanza: BinaryNode): void;
  onContacts(contacts: readonly Partial<Contact>[]): void;
  onProfile(): void;
  onGroupChanged(jid: string): void;
  /** The platform no longer accepts phone numbers as addresses. */
  onMigrated(): void;
  /** The salt for tokens to strangers; empty when the account has none any more. */
  onSalt(salt: Buffer): void;
  /** The same salt from the phone's history; a salt from the app state overrides it. */
  onHistorySalt(salt: Buffer): void;
  /** The timer for disappearing messages changed in a chat or group. */
  onTimer(jid: string, timer: ChatTimer): void;
  /** A message without a timer arrived in a private chat; `isOwn` if another device of the account sent it. */
  onMessage(jid: string, isOwn: boolean): void;
  /** The private chats that the account had when this device was linked: each chat's timer by JID. */
  onChats(timers: ReadonlyMap<string, ChatTimer>): void;
  /** The device lists of these users changed. Each user appears under one or both of their JIDs. */
  onDevicesChanged(jids: readonly string[]): void;
  /** The platform locked or unlocked new chats of the account, or returned whether it does. */
  onLock(state: ReachoutTimelockState): void;
  /** The platform announced how many new chats the account has begun. */
  onCap(info: NewChatMessageCapInfo): void;
  /** The keys of the account's app state arrived, so the address book can be read. */
  onAppStateKey(): void;
}
