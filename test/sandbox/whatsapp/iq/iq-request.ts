import type { BinaryNode } from "@whiskeysockets/baileys";
import type { Device, IqAnswer, User, WhatsAppWire } from "../whatsapp-backend.js";
import type { Account } from "../world/account.js";
import type { World } from "../world/world.js";

/** The state and services that IQ handlers use. */
export interface IqContext {
  readonly world: World;
  readonly wire: Pick<WhatsAppWire, "devices">;
  /** Host and port of the media server. */
  readonly mediaHost: () => string;
  /** Authorises the account's uploads. */
  readonly mediaAuth: (account: Account) => string;
}

export interface IqRequest extends IqContext {
  /** Pushes a stanza to all devices of the users, with a new stanza for each device. */
  readonly tell: (users: Iterable<User>, stanza: () => BinaryNode) => void;
  readonly stanza: BinaryNode;
  /** The stanza's first child. */
  readonly query: BinaryNode | undefined;
  readonly account: Account;
  readonly device: Device;
}

export type IqHandler = (request: IqRequest) => IqAnswer;
