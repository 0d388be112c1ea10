import { messageNotFound } from "../../shared/contract/telegram/errors.js";

/** Parses the id of a message: a positive 32-bit number. Throws `message not found` for any other text. */
export function toMessageId(text: string): number {
  const id = /^[1-9][0-9]{0,9}$/.test(text) ? Number(text) : 0;
  if (id === 0 || id > idMax) throw messageNotFound();
  return id;
}

const idMax = 2_147_483_647;
