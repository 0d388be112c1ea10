import typia from "typia";
import { withoutBlanks } from "../../shared/contract/blank.js";
import { internationalPhone } from "../../shared/contract/phone.js";
import { isGroupId, isNewsletterId, isUserId } from "../../shared/contract/whatsapp/address.js";
import * as errors from "../../shared/contract/whatsapp/errors.js";
import type { ChatRecipient, PersonRecipient, Recipient } from "../../shared/contract/whatsapp/message.js";
import type { TypingInput } from "../../shared/contract/whatsapp/typing.js";
import { orThrow } from "../endpoint/validation.js";
import { numberAsText } from "../api/message/number-as-text.js";
import { wording } from "./wording.js";

/**
 * Parses the recipient of POST /message: `group` wins over `newsletter`, then `phone`, `user`. Throws 400 if none is given or the winner is
 * invalid.
 */
export function parseRecipient(body: unknown): Recipient {
  const { newsletter, ...others } = read(body);
  const to = others.group === undefined && newsletter !== undefined ? toNewsletter(newsletter) : toGroupOrPerson(others);
  if (to === undefined) throw errors.invalidRecipient();
  return to;
}

/** Parses the recipient of what channels cannot receive. The order of precedence is that of POST /message. */
export function parseChatRecipient(body: unknown): ChatRecipient {
  const to = parseRecipient(body);
  if (to.kind === "newsletter") throw errors.notForChannel();
  return to;
}

/** Parses the recipient of POST /typing: `group` wins over `phone`, then `user`. */
export function parseTypingRecipient(body: unknown): TypingInput["to"] {
  const to = toGroupOrPerson(read(body));
  if (to === undefined) throw errors.invalidTypingRecipient();
  return to;
}

/** Parses a person: `phone` wins over `user`. */
export function parsePerson(values: unknown): PersonRecipient {
  const { phone, user } = read(values);
  const to = phone === undefined ? toUser(user) : toPhone(phone);
  if (to === undefined) throw errors.invalidPerson();
  return to;
}

/** Recipient of a message, in one of four fields. The first of `group`, `newsletter`, `phone`, `user` wins. */
export interface MessageRecipient extends TypingRecipient {
  /** Channel id, ends in `@newsletter`. The account can post only to channels that it owns or manages. */
  newsletter?: string;
}

/** Recipient of a typing indicator, in one of three fields. The first of `group`, `phone`, `user` wins. */
export interface TypingRecipient extends Person {
  /** Group id, ends in `@g.us`. */
  group?: string;
}

/** A person, in one of two fields. The first of `phone`, `user` wins. */
export interface Person {
  /**
   * Phone number in international format: 5 to 15 digits, the first not 0. The gateway removes a leading `+` or `00`, spaces, dashes,
   * brackets, dots and slashes. It also accepts an integer.
   */
  phone?: string;
  /** Id of a person, such as `chat.id` of an event or `id` of a group member: digits and `@s.whatsapp.net` or `@lid`. */
  user?: string;
}

/** Names of the fields of a recipient, in their order of precedence. */
export const recipientFields = ["group", "newsletter", "phone", "user"] as const satisfies readonly (keyof MessageRecipient)[];

/** Names of the fields of a person, in their order of precedence. */
export const personFields = ["phone", "user"] as const satisfies readonly (keyof Person)[];

type RecipientForm = { readonly [Name in keyof MessageRecipient]: unknown };

const validate = typia.createValidate<RecipientForm>();

/** An empty form field counts as absent. */
function read(body: unknown): RecipientForm {
  return orThrow(validate(withoutBlanks(body)), wording);
}

function toGroupOrPerson({ group, phone, user }: RecipientForm): TypingInput["to"] | undefined {
  if (group !== undefined) return toGroup(group);
  return phone === undefined ? toUser(user) : toPhone(phone);
}

function toGroup(value: unknown): { kind: "group"; id: string } | undefined {
  return typeof value === "string" && isGroupId(value) ? { kind: "group", id: value } : undefined;
}

function toNewsletter(value: unknown): { kind: "newsletter"; id: string } | undefined {
  return typeof value === "string" && isNewsletterId(value) ? { kind: "newsletter", id: value } : undefined;
}

function toPhone(value: unknown): { kind: "phone"; phone: string } | undefined {
  const phone = numberAsText(value);
  return typeof phone === "string" && internationalPhone(phone) !== undefined ? { kind: "phone", phone } : undefined;
}

function toUser(value: unknown): { kind: "user"; id: string } | undefined {
  return typeof value === "string" && isUserId(value) ? { kind: "user", id: value } : undefined;
}
