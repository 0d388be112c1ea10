import type { Api } from "telegram";
import { markOfPeer } from "../convert.js";

/**
 * Returns true for a message that the account sent, by any device. The platform does not mark messages of the account's chat with itself
 * ("Saved Messages") as sent. `self`: id of the account.
 */
export function isOutgoing({ out, peerId }: Api.Message, self: string): boolean {
  return out === true || markOfPeer(peerId) === self;
}

/** Returns true for a message that the account wrote. The platform's own clients show a message forwarded to oneself as another's. */
export function isWrittenBySelf(message: Api.Message, self: string): boolean {
  return message.out === true || (isOutgoing(message, self) && !message.fwdFrom);
}
