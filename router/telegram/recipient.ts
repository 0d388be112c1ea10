import typia from "typia";
import { withoutBlanks } from "../../shared/contract/blank.js";
import { tidyPhone } from "../../shared/contract/phone.js";
import { type ChatReference, parseChatReference } from "../../shared/contract/telegram/chat-reference.js";
import * as errors from "../../shared/contract/telegram/errors.js";
import type { PersonRecipient, Recipient } from "../../shared/contract/telegram/message.js";
import type { TypingInput } from "../../shared/contract/telegram/typing.js";
import { phoneDigitsMin } from "../../shared/limits.js";
import { orThrow } from "../endpoint/validation.js";
import { numberAsText } from "../api/message/number-as-text.js";
import { wording } from "./wording.js";

/**
 * Parses the recipient of POST /message: `group` wins over `channel`, then `user`, `username`, `phone`. Throws 400 if none is given or the
 * winner is invalid. The shard checks that the recipient exists.
 */
export function parseRecipient(body: unknown): Recipient {
  const { channel, ...others } = read(body);
  if (others.group !== undefined) return { kind: "group", chat: toChat(others.group) };
  if (channel !== undefined) return { kind: "channel", chat: toChat(channel) };
  return toPerson(others) ?? refuse(errors.invalidRecipient());
}

/** Parses the recipient of POST /typing: `group` wins over `user`, then `username`, `phone`. */
export function parseTypingRecipient(body: unknown): TypingInput["to"] {
  const form = read(body);
  if (form.group !== undefined) return { kind: "group", chat: toChat(form.group) };
  return toPerson(form) ?? refuse(errors.invalidTypingRecipient());
}

/** Parses a person: `user` wins over `username`, then `phone`. */
export function parsePerson(values: unknown): PersonRecipient {
  return toPerson(read(values)) ?? refuse(errors.invalidPerson());
}

/** Recipient of a message, in one of five fields. The first of `group`, `channel`, `user`, `username`, `phone` wins. */
export interface MessageRecipient extends TypingRecipient {
  /** Channel id (starts with `-100`), username of a public channel, or short link. The account needs the right to post. */
  channel?: string;
}

/** Recipient of a typing indicator, in one of four fields. The first of `group`, `user`, `username`, `phone` wins. */
export interface TypingRecipient extends PersonFields {
  /** Group id (starts with `-`), username of a public group, or short link such as `t.me/name`. The gateway also accepts an integer. */
  group?: string;
}

/** A person, in one of three fields. The first of `user`, `username`, `phone` wins. */
export interface PersonFields {
  /** User id on the platform, such as from a list of group members, or a username or short link. */
  user?: string;
  /** Username with or without `@`, or a short link. */
  username?: string;
  /** Phone number in international format: 8 to 15 digits. The gateway removes spaces and punctuation as in variant A. */
  phone?: string;
}

/** Names of the fields of a recipient, in their order of precedence. */
export const recipientFields = ["group", "channel", "user", "username", "phone"] as const satisfies readonly (keyof MessageRecipient)[];

/** Names of the fields of a person, in their order of precedence. */
export const personFields = ["user", "username", "phone"] as const satisfies readonly (keyof PersonFields)[];

type RecipientForm = { readonly [Name in keyof MessageRecipient]: unknown };

const validate = typia.createValidate<RecipientForm>();

/** An empty form field counts as absent. */
function read(body: unknown): RecipientForm {
  return orThrow(validate(withoutBlanks(body)), wording);
}

function toPerson({ user, username, phone }: RecipientForm): PersonRecipient | undefined {
  if (user !== undefined) return { kind: "user", chat: toChat(user) };
  if (username !== undefined) return { kind: "username", chat: toName(username) };
  return phone !== undefined ? { kind: "phone", digits: toDigits(phone) } : undefined;
}

/** Parses an id, a username or a short link. */
function toChat(value: unknown): ChatReference {
  const name = numberAsText(value);
  return typeof name === "string" ? parseChatReference(name) : refuse(errors.invalidChat());
}

function toName(value: unknown): ChatReference {
  const chat = toChat(value);
  return chat.kind === "username" ? chat : refuse(errors.invalidChat());
}

function toDigits(value: unknown): string {
  const phone = numberAsText(value);
  const digits = typeof phone === "string" ? (tidyPhone(phone) ?? "") : "";
  return digits.length >= phoneDigitsMin ? digits : refuse(errors.invalidReceiver());
}

function refuse(error: Error): never {
  throw error;
}
