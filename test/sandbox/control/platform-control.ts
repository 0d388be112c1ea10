import type { Fields } from "./fields.js";

export type Doc = Readonly<Record<string, unknown>>;

export type PeopleAction = "send" | "edit" | "delete" | "read" | "photo";

/** What the control API can do to one platform of the sandbox. Errors are `ControlError`s. */
export interface PlatformControl {
  accounts(): readonly Doc[];
  createAccount(fields: Fields): Doc;
  /** `text` is what the camera read in the QR code. */
  scan(account: string, text: string): Doc | Promise<Doc>;
  /** Types a pairing code into the phone; a platform that links by QR alone has none. */
  enterCode?(fields: Fields): Promise<Doc>;
  /** Answers a challenge with the account's passkey, as its owner's browser does; a platform that asks for none has none. */
  passkey?(fields: Fields): Doc;
  /** Compares the code of a new device with the phone's. */
  confirmPasskey?(fields: Fields): Doc;
  /** What the account's owner changes on the phone: name, address book, audience of statuses. */
  settings?(fields: Fields): Doc | Promise<Doc>;
  unlink(account: string): Doc;
  /** Somebody else's doing in a chat of the account. */
  people(action: PeopleAction, fields: Fields): Doc | Promise<Doc>;
  received(account: string | undefined): readonly Doc[];
  /** Resolves when the recipients have read what is accepted by now; where accepting is reading there is nothing to wait for. */
  allRead?(): Promise<void>;
  /** All that happened in the private chats of an account, as its devices are told of it; a platform without events keeps none. */
  history?(account: string | undefined): readonly Doc[];
  connections(): readonly Doc[];
  overlaps(): readonly Doc[];
  calls(): Doc;
  resetCalls(): void;
  fault(fields: Fields): Doc;
  clearFaults(): void;
  /** Files that lie in chats of the accounts from the start; a platform without media links has none. */
  media?(): readonly Doc[];
  /** Load mode only: accounts `<prefix>-<from>` and following with a linked device each, and what its client stores of the login. */
  makeLogins?(fields: Fields): readonly Doc[];
  /** Load mode only: people write `messages` messages to accounts `<prefix>-0` and following, `accounts` of them, in turns. */
  writeMany?(fields: Fields): Promise<Doc>;
}
