import { ApiError } from "../../../shared/contract/api-error.js";
import { withoutBlanks } from "../../../shared/contract/blank.js";
import { invalidMention, tooManyMentions } from "../../../shared/contract/errors.js";
import type { MessageContext } from "../../../shared/contract/message-content.js";
import { mustBeArray, mustBeString } from "../../../shared/contract/rules.js";
import { numberAsText } from "./number-as-text.js";

export interface MessageContextForm {
  /** Message that this message replies to: its id in the recipient's chat, or the `ref` of its event, which carries the quote whole. */
  replyTo?: string;
  /**
   * People that the text or caption mentions. The text has `@` and the number or id of each: on WhatsApp a phone number or the digits of
   * `user`, on Telegram a user id. WhatsApp channels have no mentions and no replies.
   */
  mentions?: string[];
}

/** Parses what a message says about others. `isUser` tests the platform's form of a person. An empty field counts as absent. */
export function parseContext(body: unknown, isUser: (text: string) => boolean): MessageContext {
  const { replyTo, mentions } = Object(withoutBlanks(body)) as { readonly [Name in keyof MessageContextForm]: unknown };
  const faults = [
    ...(replyTo === undefined || typeof replyTo === "string" ? [] : [mustBeString("replyTo")]),
    ...(mentions === undefined || Array.isArray(mentions) ? [] : [mustBeArray("mentions")]),
  ];
  if (faults.length > 0) throw new ApiError(400, faults.join("\n"));
  if (Array.isArray(mentions) && mentions.length > mentionsMax) throw tooManyMentions();
  return {
    ...(typeof replyTo === "string" && { replyTo }),
    ...(Array.isArray(mentions) && mentions.length > 0 && { mentions: mentions.map((mention: unknown) => toUser(mention, isUser)) }),
  };
}

/** The members of WhatsApp's largest group. */
const mentionsMax = 1_024;

function toUser(mention: unknown, isUser: (text: string) => boolean): string {
  const user = numberAsText(mention);
  if (typeof user !== "string" || !isUser(user)) throw invalidMention();
  return user;
}
