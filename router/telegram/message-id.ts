import { messageNotFound } from "../../shared/contract/telegram/errors.js";
import { messageNumber } from "../../shared/contract/telegram/message-number.js";

/** Parses the id of a message. Throws `message not found` for a text that is no such id. */
export function toMessageId(text: string): number {
  const id = messageNumber(text);
  if (id === undefined) throw messageNotFound();
  return id;
}
