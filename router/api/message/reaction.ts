import typia from "typia";
import { isBlank, withoutBlanks } from "../../../shared/contract/blank.js";
import type { Bytes, Wording } from "../../../shared/contract/rules.js";
import { orThrow } from "../../endpoint/validation.js";
import type { MessageReferenceForm } from "./message-reference.js";

export interface ReactionForm extends MessageReferenceForm {
  /** The emoji, at most 64 bytes. An empty text removes the account's reaction. */
  emoji: string & Bytes<64>;
}

/** Parses the message and the emoji of POST /message/reaction. Here an empty text has a meaning of its own. */
export function readReaction(body: unknown, wording: Wording): ReactionForm {
  const { emoji } = Object(body) as { emoji?: unknown };
  const form = orThrow(validate({ ...(withoutBlanks(body) as object), emoji }), wording);
  return { ...form, emoji: isBlank(form.emoji) ? "" : form.emoji };
}

export const reactionFields = ["messageId", "author", "emoji"] as const satisfies readonly (keyof ReactionForm)[];

/** In the order of the errors: an interface names its own fields before those that it inherits. */
const validate = typia.createValidate<MessageReferenceForm & Pick<ReactionForm, "emoji">>();
