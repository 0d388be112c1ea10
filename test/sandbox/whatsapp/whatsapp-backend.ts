/**
 * The seam between the sandbox's wire protocol (`protocol/`) and its model of the platform (`world/`, `iq/`, `phone/`).
 *
 * The protocol answers by itself: handshake, registration, pairing, login, and the IQs of `protocolIqs` below, app-state sync included.
 * It acks every receipt, notification answer and the like, and re-encrypts an incoming message that a client asks for again.
 * All else goes to the model: every other IQ (`iq`), every client message (`message`: the model sends the ack), presences, chat states, receipts.
 * The model drives the protocol through `WhatsAppWire`.
 */
import type { AuthenticationCreds, BinaryNode, proto } from "@whiskeysockets/baileys";
import type { Forgery } from "./forgeries.js";

/** JID part of the server itself, in the exact spelling that the library compares. */
export const serverJid = "@s.whatsapp.net";

/** Namespaces of the IQs that never reach `WhatsAppBackend.iq`. `encrypt` includes the key bundles of contacts. */
export const protocolIqs = ["w:p", "encrypt", "passive", "md", "w:sync:app:state", "urn:xmpp:whatsapp:dirty"] as const;

/** Somebody on the platform: digits of the phone number and of the anonymous id, both without domain. */
export interface User {
  readonly phone: string;
  readonly lid: string;
}

export type Addressing = "pn" | "lid";

/** What the protocol must know of the account whose phone links a device. */
export interface AccountProfile extends User {
  /** Goes to the client as the app-state push name; empty means none is ever synced. */
  readonly pushName: string;
  /** The phone's address book, in the order that it is synced. */
  readonly contacts: readonly AddressBookEntry[];
  /**
   * `initial` phone behaviour after the first login; `blobs`: the same, but history and app state lie with the media hosts; `keys-only` sends no history, `silent` sends
   * nothing (contacts never sync).
   */
  readonly firstSync: "initial" | "blobs" | "keys-only" | "silent";
  /** Private chats that the account has had, each with the timer of its messages (0: none). */
  readonly chats?: readonly { readonly phone: string; readonly seconds: number }[];
  /** The phone sends its salt for tokens to strangers with the history, and not with the app state. */
  readonly saltInHistory?: boolean;
  /** The platform has moved its chats to LIDs. */
  readonly lidMigrated?: boolean;
  /** Set for a business account. */
  readonly businessName?: string;
  /** Set for an account whose companions are asked for its passkey. */
  readonly passkey?: true;
}

/** What a phone uploads for its companions. */
export type BlobKind = "history" | "app-state";

export interface PhoneBlob {
  readonly mediaKey: Buffer;
  readonly directPath: string;
  readonly fileSha256: Buffer;
  readonly fileEncSha256: Buffer;
  /** Of its content, bytes. */
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
  /** From 1; the phone itself is 0. Numbers are never used twice. */
  readonly number: number;
  /** Static key of the client's Noise handshake, 32 bytes: what authenticates a login. */
  readonly noiseKey: Buffer;
  /** Signal identity key, 32 bytes. */
  readonly identity: Buffer;
  registrationId: number;
  signedPreKey: SignedPreKey;
  readonly preKeys: OneTimePreKey[];
  readonly pairedAt: number;
  /** True until the phone sent the first-login peer messages. */
  fresh: boolean;
  /** True since the device was unlinked: its login is answered 401. */
  removed: boolean;
  /** The logged-in connection. */
  connection: Connection | undefined;
}

/** One WebSocket connection whose handshake is through. */
export interface Connection {
  /** Unique in the process. */
  readonly id: number;
  readonly remoteAddress: string;
  readonly openedAt: number;
  /** Set by login. */
  readonly device: Device | undefined;
  /** QR references of a registering connection that are still valid. */
  readonly refs: readonly string[];
  /** As what a registering one wants to be shown: system and `DeviceProps.PlatformType`. */
  readonly wantsToBe: { readonly os: string; readonly platformType: number } | undefined;
  readonly open: boolean;
  /** Attribute values are strings; a number would corrupt the frame. No-op on a closed connection. */
  send(node: BinaryNode): void;
  /** Sends a `stream:error` (or `failure`, or `xmlstreamend`) as `DisconnectKind` says, then closes. */
  disconnect(kind: DisconnectKind): void;
  /** TCP reset without a word. */
  destroy(): void;
}

/**
 * How the server ends a connection, and the close code that the library makes of it:
 * `restart` 515, `device-removed` 401, `replaced` 440, `overloaded` 503, `malformed` 500, `downgrade` 411, `end` 428 (xmlstreamend), `close` 428 (WebSocket close),
 * `reset` 428 (TCP), `silent` 408 (the connection stays open and nothing is answered any more), a number: `failure reason=<number>` (401, 402, 403, 405, 406, 503...).
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

/** The stanza stays without an answer, as from a silent server. */
export const noAnswer: unique symbol = Symbol("no answer");

/** An IQ error that the client sees as `iq type=error` with an `error` child. */
export class IqFault extends Error {
  constructor(
    readonly code: number,
    readonly text: string,
  ) {
    super(`${code}: ${text}`);
  }
}

/** Children (or bytes) of the `iq type=result`; undefined for an empty result. */
export type IqAnswer = BinaryNode["content"] | typeof noAnswer;

/**
 * Name of a stanza class for faults and counters: `iq <xmlns> <first child's tag>` ("iq usync usync", "iq encrypt key", "iq w:g2 query"), the bare tag
 * of the others ("message", "receipt", "presence", "chatstate", "ack", "ib", "notification"), or `login` / `registration` for the handshake's payload.
 */
export type StanzaKind = string;

/** What the protocol needs of the model behind it. */
export interface WhatsAppBackend {
  /** The account behind a phone number, for pairing, login, first sync and app state. */
  account(phone: string): AccountProfile | undefined;
  /** Anybody on the platform by digits of a phone number or of a LID. The model may make strangers up. Undefined: not on the platform. */
  user(part: { readonly phone: string } | { readonly lid: string }): User | undefined;
  /** Accounts in a group: whose devices get what is written there. */
  members?(group: string): Iterable<User>;
  /** How a group names its members; LID when it is not known. */
  addressing?(group: string): Addressing | undefined;

  /** Uploads what the phone of an account with `blobs` does not send in messages. */
  storeBlob?(kind: BlobKind, plain: Buffer): Promise<PhoneBlob>;

  /** An IQ that the protocol does not answer itself. May throw an `IqFault`. Only called on logged-in connections. */
  iq(node: BinaryNode, device: Device, connection: Connection): IqAnswer | Promise<IqAnswer>;
  /** A client's `message` stanza. The model decrypts it (`wire.decrypt`), records it, and sends the ack (`wire.ack`) and receipts. Calls of one connection start in order. */
  message(node: BinaryNode, device: Device, connection: Connection): void | Promise<void>;
  presence(node: BinaryNode, device: Device): void;
  chatstate(node: BinaryNode, device: Device): void;
  /** Any receipt of the client (delivery, read, `retry`, `peer_msg`, `hist_sync`); the protocol acked it already, and sends again what the phones wrote. */
  receipt(node: BinaryNode, device: Device): void;

  /** Called before each stanza of a client is handled: may wait, throw an `IqFault` (for IQs), or answer `noAnswer` (the control API's faults). */
  intercept(kind: StanzaKind, node: BinaryNode, connection: Connection): Promise<typeof noAnswer | undefined>;
  /** May refuse a login of a paired device, or (device undefined) a registration, with a `failure` reason: 401, 402, 403, 405, 406, 503. `version`: of the client, such as `2.3000.1043857760`. */
  refuses(device: Device | undefined, remoteAddress: string, version: string): number | undefined;
  /** May refuse a new TCP connection (fault `refuse`). */
  acceptsConnection(remoteAddress: string): boolean;

  /** Whether this is forged now (fault `forge`), of the account of this number; nobody is known yet when a certificate is shown. */
  forges?(what: Forgery, phone?: string): boolean;
  /** Whether something goes wrong at this moment of linking by passkey (fault `passkey`). */
  passkeyFault?(phone: string, name: string): boolean;

  /** A device was linked or removed: those who know the account's devices are told. */
  onDeviceListChanged?(device: Device, change: "add" | "remove"): void;
  /** A device was paired, removed, or its keys changed: for persistence. */
  onDeviceChanged(device: Device): void;
  onConnectionChanged(connection: Connection, open: boolean): void;
  /** Sessions, sender keys or app state changed: `exportState` has something new. Very frequent, except in load mode. */
  onStateChanged?(): void;
  /** A second connection logged in as a device that was connected: the older got `replaced`. */
  onOverlap?(device: Device, addresses: readonly string[]): void;
}

/** A decrypted copy of a client's message, as its recipient reads it. */
export interface DecryptedCopy extends User {
  /** JID of the `to` node, or of the chat for a plaintext or a peer message. */
  readonly jid: string;
  /** True for the copy to the sender's own phone; its `deviceSentMessage` wrapper is taken off. */
  readonly own: boolean;
  readonly message: proto.IMessage;
}

export interface DecryptedMessage {
  /** What the chat reads: the recipient's copy, or the group's, status's or channel's message. */
  readonly message: proto.IMessage | undefined;
  /** 1:1: one per user device 0. Group and status: one per user that got the sender key with this very stanza (the distribution message). */
  readonly copies: readonly DecryptedCopy[];
  /** Users whose phone has a copy in this very stanza, decrypted or not, the sender's own included. Known in load mode, too. */
  readonly recipients: readonly User[];
  /** Users who can read the message: of the copies for 1:1, all who were ever given its sender key for a group or status; empty for channels. */
  readonly readers: readonly User[];
  /** Id of the sender key of a group's message or a status. */
  readonly senderKey?: number;
  /** JIDs of linked devices (number above 0) among the recipients, whose copies only the device itself can read. */
  readonly devices: readonly string[];
  /** JIDs whose copy failed to decrypt, with the reason. */
  readonly failures: readonly { readonly jid: string; readonly reason: string }[];
}

export interface SendOptions {
  /** Default: a random id of the phone's form. */
  readonly id?: string;
  /** Group JID: the message comes from the group, `from` the participant. */
  readonly group?: string;
  /** Push name of the sender. */
  readonly notify?: string;
  /** Seconds since 1970; default now. */
  readonly timestamp?: number;
  /** From the account's own phone to its companion. */
  readonly peer?: boolean;
  /** Encrypts with a damaged message key, so that the client asks for it again. */
  readonly damaged?: boolean;
  readonly attrs?: Readonly<Record<string, string>>;
}

export interface AckAttributes {
  readonly error?: number;
  readonly serverId?: number;
  readonly phash?: string;
}

/** Calls that the model makes on the protocol. */
export interface WhatsAppWire {
  /**
   * The account's phone scans a QR (its whole text); resolves when the client has signed and is being restarted, or is asked for the account's passkey. Throws when the
   * reference is unknown or expired.
   */
  pair(qr: string, phone: string): Promise<Device | "passkey">;
  /** Somebody types the pairing code that a client of `phone` shows. Throws when no client of that number waits, or the code is wrong. */
  enterPairingCode(phone: string, code: string): Promise<Device | "passkey">;
  /** The person compares the code that a companion shows with the phone's. False for another one; throws when the phone shows none. */
  confirmPasskey(phone: string, code: string): boolean;
  /** True while a client waits for its pairing code of this number. */
  awaitsPairingCode(phone: string): boolean;
  /** Registers a device without a client: keys given by whoever fabricates the credentials. */
  adoptDevice(device: PairedDevice): Device;
  /** Links a device that never connected: complete credentials for a client with an empty key store (load tests). `fresh`: the phone still sends its first-login messages. */
  fabricate(phone: string, fresh?: boolean): AuthenticationCreds;
  devices(phone: string): readonly Device[];
  device(phone: string, number: number): Device | undefined;
  readonly connections: ReadonlySet<Connection>;
  /** False when the device is not connected: a message, receipt or notification waits for it then, the rest is lost. */
  push(device: Device, node: BinaryNode): boolean;
  /** False when the device is not connected. */
  disconnect(device: Device, kind: DisconnectKind): boolean;
  /** Unlinks: `device-removed` to its connection, later logins 401. */
  removeDevice(device: Device): void;
  /** Answers a client's message. `error` rejects it (479, 463, 400...), `serverId` is for channels, `phash` for a message that names other devices than there are. */
  ack(node: BinaryNode, connection: Connection, attrs?: AckAttributes): void;
  /** Encrypts for the device and pushes it; the id of the message, or undefined when the device is not connected and gets it when it is back. */
  sendToDevice(device: Device, from: User, message: proto.IMessage, options?: SendOptions): Promise<string | undefined>;
  /** Asks the client to send a message again, as the recipient's device would. `keys` adds a fresh bundle, the usual form of a second try. */
  askRetry(
    device: Device,
    from: User,
    messageId: string,
    options?: { readonly chat?: string; readonly keys?: boolean; readonly count?: number },
  ): Promise<boolean>;
  /** Passes copies on to linked devices of other accounts, and to the sender's own others. JIDs of those reached at once. Of a `repeated` message only what a device asked for again. */
  relay(node: BinaryNode, device: Device, repeated?: boolean): readonly string[];
  /** App-state key and history again, as the phone sends them after the first login; for an account whose phone was `silent` at first. False when the device is not connected. */
  sendFirstSync(device: Device): Promise<boolean>;
  /** In load mode nothing is decrypted: `message` is undefined, `copies` empty, `devices` complete. */
  decrypt(node: BinaryNode, device: Device): Promise<DecryptedMessage>;
  /** The account's address book or push name changed: appends app-state patches and notifies its devices. Removed contacts come as `removed` phones. */
  syncAddressBook(
    phone: string,
    change: { readonly pushName?: string; readonly contacts?: readonly AddressBookEntry[]; readonly removed?: readonly User[] },
  ): Promise<void>;
}

/** Everything of a device that must outlive the process. Byte strings in base64. */
export interface PairedDevice extends User {
  readonly number: number;
  readonly noiseKey: string;
  readonly identity: string;
  readonly registrationId: number;
  readonly signedPreKey: { readonly id: string; readonly value: string; readonly signature: string };
  readonly preKeys: readonly { readonly id: string; readonly value: string }[];
  readonly pairedAt: number;
  readonly fresh: boolean;
  /** Stanzas that wait for the device. */
  readonly waiting?: readonly string[];
}
