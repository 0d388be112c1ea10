import type { Contact } from "../../tenant/pace/session-pace.js";
import { splitMarkedId } from "../chats/chat-reference.js";
import type { TelegramConnector } from "../connector.js";
import type { Peer } from "../peers.js";

/** Returns the recipient of a message, if it is one person other than the account itself. */
export function contactOf({ context, peers }: TelegramConnector, { id }: Peer): Contact | undefined {
  const state = context.state();
  const isSelf = "account" in state && state.account.generatedId === id;
  if (isSelf || splitMarkedId(id).kind !== "user") return undefined;
  return { id, isKnown: () => peers.hasMet(id) };
}
