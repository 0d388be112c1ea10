/**
 * The boundary between the wire protocol (`protocol/`) and the model of the platform (`world/`, `iq/`, `phone/`). The protocol handles
 * login, linking, `protocolIqs`, acks and retries; the model handles everything else and drives the protocol through `WhatsAppWire`.
 */
import type { AuthenticationCreds, BinaryNode, proto } from "@whiskeysockets/baileys";
import type { Forgery } from "./forgeries.js";

/** The server's JID, spelled exactly as the library compares it. */
export const serverJid = "@s.whatsapp.net";

/** Namespaces of the IQs that never reach `WhatsAppBackend.iq`. `encrypt` includes the key bundles of contacts. */
export const protocolIqs = ["w:p", "encrypt", "passive", "md", "w:sync:app:state", "urn:xmpp:whatsapp:dirty"] as const;

/** A user of the platform: the digits of the phone number and of the LID, without domain. */
export interface User {
  readonly phone: string;
  readonly lid: string;
}

export type Addressing = "pn" | "lid";

/** The fields that the protocol needs of an account whose phone links devices. */
export interface AccountProfile extends User {
  /** Sent to the client as the app-state push name. An empty name is never synced. */
  readonly pushName: string;
  /** The phone's address book in sync order. */
  readonly contacts: readonly AddressBookEntry[];
  /**
   * The phone after the first login: `initial` sends everything, `blobs` puts history and app state on the media host, `keys-only` sends
   * no history, `silent` sends nothing (contacts never sync).
   */
  readonly firstSync: "initial" | "blobs" | "keys-only" | "silent";
  /** The account's private chats, each with its message timer in seconds (0: none). */
  readonly chats?: readonly { readonly phone: string; readonly seconds: number }[];
  /** The phone sends its salt for stranger tokens with the history instead of the app state. */
  readonly saltInHistory?: boolean;
  /** The platform has moved the account's chats to LIDs. */
  readonly lidMigrated?: boolean;
  /** Set for a business account. */
  readonly businessName?: string;
  /** Set for an account whose new devices need its passkey. */
  readonly passkey?: true;
}

/** Data that a phone uploads for its companions. */
export type BlobKind = "history" | "app-state";

export interface PhoneBlob {
  readonly mediaKey: Buffer;
  readonly directPath: string;
  readonly fileSha256: Buffer;
  readonly fileEncSha256: Buffer;
  /** Bytes of the content. */
  readonly size: number;
}

export interface AddressBookEntry extends User {
  readonly name: string;
}

export interface OneTimePreKey {
  /** 3 bytes. */
  readonly id: Buffer;
  /** 32 bytes, without the type byte. */
  readonly value: Buffer;
}

export interface SignedPreKey extends OneTimePreKey {
  /** 64 bytes. */
  readonly signature: Buffer;
}

/** One linked companion of an account. Its JID is `<phone>:<number>@s.whatsapp.net`, or `<lid>:<number>@lid`. */
export interface Device extends User {
  /** From 1; the phone itself is 0. Numbers are never reused. */
  readonly number: number;
  /** Static key of the client's Noise handshake (32 bytes), which authenticates a login. */
  readonly noiseKey: Buffer;
  /** 32 bytes. */
  readonly identity: Buffer;
  registrationId: number;
  signedPreKey: SignedPreKey;
  readonly preKeys: OneTimePreKey[];
  readonly pairedAt: number;
  /** True until the phone has sent the first-login peer messages. */
  fresh: boolean;
  /** True once the device is unlinked. Its login gets 401. */
  removed: boolean;
  connection: Connection | undefined;
}

/** One WebSocket connection after its handshake. */
export interface Connection {
  /** Unique within the process. */
  readonly id: number;
  readonly remoteAddress: string;
  readonly openedAt: number;
  /** Set by login. */
  readonly device: Device | undefined;
  /** Valid QR references of a connection that is linking. */
  readonly refs: readonly string[];
  /** How a linking client wants to be listed: system and `DeviceProps.PlatformType`. */
  readonly wantsToBe: { readonly os: string; readonly platformType: number } | undefined;
  readonly open: boolean;
  /** Sends a stanza. Attribute values are strings; a number would corrupt the frame. Does nothing on a closed connection. */
  send(node: BinaryNode): void;
  /** Sends a `stream:error` (or `failure`, or `xmlstreamend`) as `DisconnectKind` defines, then closes. */
  disconnect(kind: DisconnectKind): void;
  /** Resets the TCP connection without sending anything. */
  destroy(): void;
}

/**
 * How the server ends a connection, with the library's close code: `restart` 515, `device-removed` 401, `replaced` 440, `overloaded` 503,
 * `malformed` 500, `downgrade` 411; `end`, `close` and `reset` 428; `silent` 408 (stays open); a number: `failure reason=<number>`.
 */
export type DisconnectKind =
  | "restart"
  | "device-removed"
  | "replaced"
  | "overloaded"
  | "malformed"
  | "downgrade"
  | "end"
  | "close"
  | "reset"
  | "silent"
  | number;

/** The stanza gets no response, as from a silent server. */
export const noAnswer: unique symbol = Symbol("no answer");

/** An IQ error, which the client receives as `iq type=error` with an `error` child. */
export class IqFault extends Error {
  constructor(
    readonly code: number,
    readonly text: string,
  ) {
    super(`${code}: ${text}`);
  }
}

/** Children (or bytes) of the `iq type=result`; `undefined` for an empty result. */
export type IqAnswer = BinaryNode["content"] | typeof noAnswer;

/**
 * Name of a stanza's class in faults and counters: `iq <xmlns> <first child's tag>` for an IQ ("iq usync usync"), the tag of other stanzas
 * ("message"), or `login` / `registration` for the handshake's payload.
 */
export type StanzaKind = string;

/** The functions of the model that the protocol calls. */
export interface WhatsAppBackend {
  /** Returns the account with a phone number, for pairing, login, first sync and app state. */
  account(phone: string): AccountProfile | undefined;
  /** Returns a user by phone number or LID, or `undefined` if the platform has none. The model may invent strangers. */
  user(part: { readonly phone: string } | { readonly lid: string }): User | undefined;
  /** Returns the accounts in a group, whose devices receive its messages. */
  members?(group: string): Iterable<User>;
  /** Returns whether the platform never shows the user's number, or not in this group: others know only the LID. */
  hidesNumber?(user: User, group?: string): boolean;
  /** Returns whether the user has blocked the other one, whose messages in private chats are then dropped. */
  blocks?(user: User, other: User): boolean;
  /** Returns how a group names its members. The protocol uses LIDs for an unknown group. */
  addressing?(group: string): Addressing | undefined;

  /** Uploads data of an account with `blobs`, which its phone does not send in messages. */
  storeBlob?(kind: BlobKind, plain: Buffer): Promise<PhoneBlob>;

  /** Handles an IQ outside `protocolIqs`. May throw an `IqFault`. Only called on logged-in connections. */
  iq(node: BinaryNode, device: Device, connection: Connection): IqAnswer | Promise<IqAnswer>;
  /**
   * Handles a client's `message` stanza: decrypts it (`wire.decrypt`), records it, and sends the ack (`wire.ack`) and receipts. Calls of
   * one connection start in order.
   */
  message(node: BinaryNode, device: Device, connection: Connection): void | Promise<void>;
  presence(node: BinaryNode, device: Device): void;
  chatstate(node: BinaryNode, device: Device): void;
  /**
   * Handles any receipt of the client (delivery, read, `retry`, `peer_msg`, `server-error`). The protocol has acked it, and resends the
   * phones' messages itself.
   */
  receipt(node: BinaryNode, device: Device): void;

  /** Runs before each stanza of a client for the control API's faults. It may wait, throw an `IqFault` (for IQs), or return `noAnswer`. */
  intercept(kind: StanzaKind, node: BinaryNode, connection: Connection): Promise<typeof noAnswer | undefined>;
  /**
   * May reject a device's login, or a registration (no device), with a `failure` reason: 401, 402, 403, 405, 406 or 503. `version` is the
   * client's, such as `2.3000.1043857760`.
   */
  refuses(device: Device | undefined, remoteAddress: string, version: string): number | undefined;
  /** May reject a new TCP connection (fault `refuse`). */
  acceptsConnection(remoteAddress: string): boolean;

  /** Returns whether to forge this for the account (fault `forge`). A certificate is shown before the account is known. */
  forges?(what: Forgery, phone?: string): boolean;
  /** Returns whether to deliver the next message to the device twice (fault `duplicate`). */
  duplicates?(device: Device): boolean;
  /** Returns whether this step of linking by passkey fails (fault `passkey`). */
  passkeyFault?(phone: string, name: string): boolean;

  /** Called when a device was linked or removed, so that watchers of the account's devices are notified. */
  onDeviceListChanged?(device: Device, change: "add" | "remove"): void;
  /** Called when a device was paired or removed or its keys changed, so that it is stored. */
  onDeviceChanged(device: Device): void;
  onConnectionChanged(connection: Connection, open: boolean): void;
  /** Called when sessions, sender keys or app state changed, so that `exportState` is stored. Very frequent, except in load mode. */
  onStateChanged?(): void;
  /** Called when a connected device logged in again. The older connection got `replaced`. */
  onOverlap?(device: Device, addresses: readonly string[]): void;
}

/** A decrypted copy of a client's message, as its recipient reads it. */
export interface DecryptedCopy extends User {
  /** JID of the `to` node, or of the chat for a plaintext or a peer message. */
  readonly jid: string;
  /** True for the copy to the sender's own phone, without its `deviceSentMessage` wrapper. */
  readonly own: boolean;
  readonly message: proto.IMessage;
}

export interface DecryptedMessage {
  /** The message as the chat reads it: the recipient's copy, or the message of the group, status or channel. */
  readonly message: proto.IMessage | undefined;
  /** One copy per user: for device 0 in a private chat, and for each user who got the sender key with this stanza in a group or status. */
  readonly copies: readonly DecryptedCopy[];
  /** Users whose phone has a copy in this stanza, decrypted or not, including the sender's. Set in load mode too. */
  readonly recipients: readonly User[];
  /**
   * Users who can read the message: of the copies in a private chat, all holders of the sender key in a group or status; empty for
   * channels.
   */
  readonly readers: readonly User[];
  /** Id of the sender key of a group message or a status. */
  readonly senderKey?: number;
  /** JIDs of the recipient devices (number above 0), whose copies only the device itself can read. */
  readonly devices: readonly string[];
  /** JIDs whose copy failed to decrypt, with the reason. */
  readonly failures: readonly { readonly jid: string; readonly reason: string }[];
}

export interface SendOptions {
  /** Default: a random id in the phone's form. */
  readonly id?: string;
  /** Group JID: the message comes from the group, and `from` is the participant. */
  readonly group?: string;
  /** JID of a private chat: the message comes from the account's own phone, whose linked devices get a copy. */
  readonly recipient?: string;
  /** Push name of the sender. */
  readonly notify?: string;
  /** Unix seconds; default: now. */
  readonly timestamp?: number;
  /** True for a message from the account's own phone to its companion. */
  readonly peer?: boolean;
  /** Encrypts with a damaged message key, so that the client requests a retry. */
  readonly damaged?: boolean;
  /** The message is not sent again when the client requests a retry. */
  readonly isLost?: boolean;
  /** Sends a placeholder without the message. */
  readonly isUnavailable?: boolean;
  readonly attrs?: Readonly<Record<string, string>>;
}

export interface AckAttributes {
  readonly error?: number;
  readonly serverId?: number;
  readonly phash?: string;
}

/** The delivery of one message to one device. Instants are Unix milliseconds. */
export interface DeliveryEntry {
  /** JID of the device. */
  readonly device: string;
  readonly messageId: string;
  readonly chatId: string;
  /** Author in a group. */
  readonly participant?: string;
  /** False for a channel's post. */
  readonly isSealed: boolean;
  readonly queuedAt: number;
  /** Number of times that the message was delivered under its id, without repeats after a login. */
  readonly copies: number;
  readonly sentAt: readonly number[];
  /** The client's receipts and acks, with the type or error of each. */
  readonly confirmations: readonly { readonly at: number; readonly by: string; readonly type?: string; readonly error?: string }[];
}

/** The functions of the protocol that the model calls. */
export interface WhatsAppWire {
  /**
   * Scans a QR code (its whole text) with the account's phone. Resolves when the client has signed and restarts, or must use the passkey.
   * Rejects when the reference is unknown or expired.
   */
  pair(qr: string, phone: string): Promise<Device | "passkey">;
  /** Types the pairing code that a client of `phone` shows. Rejects when no client of that number waits or the code is wrong. */
  enterPairingCode(phone: string, code: string): Promise<Device | "passkey">;
  /** Returns whether the code that a companion shows equals the phone's. Throws when the phone shows none. */
  confirmPasskey(phone: string, code: string): boolean;
  /** Returns whether a client waits for its pairing code of this number. */
  awaitsPairingCode(phone: string): boolean;
  /** Registers a device without a client, with the keys of fabricated credentials. */
  adoptDevice(device: PairedDevice): Device;
  /**
   * Links a device that never connected, for load tests. Returns complete credentials for an empty key store. `fresh`: the phone still
   * sends its first-login messages.
   */
  fabricate(phone: string, fresh?: boolean): AuthenticationCreds;
  devices(phone: string): readonly Device[];
  device(phone: string, number: number): Device | undefined;
  readonly connections: ReadonlySet<Connection>;
  /** Returns false if the device is offline. A message, receipt, notification or call is then queued, and other stanzas are dropped. */
  push(device: Device, node: BinaryNode): boolean;
  /** Delivers the device's last messages again, although they are confirmed. */
  redeliver(device: Device, count: number): void;
  /** Returns the newest deliveries to the devices of a phone number, or of all. */
  deliveries(phone: string | undefined): readonly DeliveryEntry[];
  /** Returns false if the device is offline. */
  disconnect(device: Device, kind: DisconnectKind): boolean;
  /** Unlinks a device: sends `device-removed` to its connection and rejects later logins with 401. */
  removeDevice(device: Device): void;
  /**
   * Acks a client's message. `error` rejects it (479, 463, 400...), `serverId` is for channels, `phash` for a message with an outdated
   * device list.
   */
  ack(node: BinaryNode, connection: Connection, attrs?: AckAttributes): void;
  /** Encrypts a message and pushes it. Returns its id, or `undefined` if the device is offline; the message is then queued. */
  sendToDevice(device: Device, from: User, message: proto.IMessage, options?: SendOptions): Promise<string | undefined>;
  /** Requests a message again from the client, as the recipient's device does. `keys` adds a fresh bundle, as in a second retry. */
  askRetry(
    device: Device,
    from: User,
    messageId: string,
    options?: { readonly chat?: string; readonly keys?: boolean; readonly count?: number },
  ): Promise<boolean>;
  /**
   * Forwards copies to linked devices of other accounts and to the sender's others. Returns the JIDs reached at once. A `repeated` message
   * goes only to the device that requested it.
   */
  relay(node: BinaryNode, device: Device, repeated?: boolean): readonly string[];
  /**
   * Sends app-state key and history again as after the first login, for an account whose phone was `silent`. Returns false if the device
   * is offline.
   */
  sendFirstSync(device: Device): Promise<boolean>;
  /** In load mode nothing is decrypted: `message` is undefined, `copies` is empty, and `devices` is complete. */
  decrypt(node: BinaryNode, device: Device): Promise<DecryptedMessage>;
  /**
   * Appends app-state patches for a changed address book or push name and notifies the devices. `removed` has the phones of removed
   * contacts.
   */
  syncAddressBook(
    phone: string,
    change: { readonly pushName?: string; readonly contacts?: readonly AddressBookEntry[]; readonly removed?: readonly User[] },
  ): Promise<void>;
}

/** The stored state of a device. Byte strings are in base64. */
export interface PairedDevice extends User {
  readonly number: number;
  readonly noiseKey: string;
  readonly identity: string;
  readonly registrationId: number;
  readonly signedPreKey: { readonly id: string; readonly value: string; readonly signature: string };
  readonly preKeys: readonly { readonly id: string; readonly value: string }[];
  readonly pairedAt: number;
  readonly fresh: boolean;
  /** Stanzas that the device has not confirmed. */
  readonly waiting?: readonly string[];
}
