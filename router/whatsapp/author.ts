import { isUserId } from "../../shared/contract/whatsapp/address.js";
import { invalidAuthor } from "../../shared/contract/whatsapp/errors.js";

/** Returns the author of a message as a field of a command's input. Throws 400 if it is no person's id. */
export function toAuthor({ author }: { readonly author?: string }): { author?: string } {
  if (author === undefined) return {};
  if (!isUserId(author)) throw invalidAuthor();
  return { author };
}
