import type { Fields } from "./fields.js";

export type Doc = Readonly<Record<string, unknown>>;

export type PeopleAction = "send" | "edit" | "delete" | "read" | "photo";
/** Actions of people that only some platforms play. */
export type MoreAction = "group" | "call" | "vote";

/** The operations of the control API on one platform of the sandbox. Errors are `ControlError`s. */
export interface PlatformControl {
  accounts(): readonly Doc[];
  createAccount(fields: Fields): Doc;
  /** `text` is the content of the QR code. */
  scan(account: string, text: string): Doc | Promise<Doc>;
  /** Enters a pairing code on the phone. Missing on a platform that links by QR code only. */
  enterCode?(fields: Fields): Promise<Doc>;
  /** Signs a challenge with the account's passkey, as the owner's browser does. Missing on a platform without passkeys. */
  passkey?(fields: Fields): Doc;
  /** Compares the code on a new device with the code on the phone. */
  confirmPasskey?(fields: Fields): Doc;
  /** Changes the owner's settings on the phone: name, address book, audience of statuses. */
  settings?(fields: Fields): Doc | Promise<Doc>;
  unlink(account: string): Doc;
  /** Performs the action of another person in a chat of the account. */
  people(action: PeopleAction, fields: Fields): Doc | Promise<Doc>;
  received(account: string | undefined): readonly Doc[];
  /** Resolves when the recipients have read everything accepted so far. Missing where accepting is reading. */
  allRead?(): Promise<void>;
  /** Returns all events in an account's private chats, as its devices receive them. Missing on a platform without events. */
  history?(account: string | undefined): readonly Doc[];
  /** Changes a group as one of its members, calls the account, or votes in a poll. Missing on a platform that does not play it. */
  more?(action: MoreAction, fields: Fields): Doc | Promise<Doc>;
  /** Returns the messages to an account's devices, with the times of their receipts. Missing on a platform without receipts. */
  deliveries?(account: string | undefined, confirmed: boolean | undefined): readonly Doc[];
  connections(): readonly Doc[];
  overlaps(): readonly Doc[];
  calls(): Doc;
  resetCalls(): void;
  fault(fields: Fields): Doc;
  clearFaults(): void;
  /** Files in chats of the seeded accounts. Missing on a platform without media links. */
  media?(): readonly Doc[];
  /**
   * Load mode only: creates accounts `<prefix>-<from>` and following with one linked device each. Returns the client's stored login data.
   */
  makeLogins?(fields: Fields): readonly Doc[];
  /** Load mode only: people send `messages` messages in turn to `accounts` accounts, from `<prefix>-0` on. */
  writeMany?(fields: Fields): Promise<Doc>;
}
