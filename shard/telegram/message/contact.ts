import type { Ending } from "../../../shared/flow/ending.js";
import type { Addressee } from "../../session/health/session-health.js";
import type { Contact } from "../../tenant/pace/session-pace.js";
import { splitMarkedId } from "../chats/chat-reference.js";
import type { TelegramConnector } from "../connector.js";
import type { Peer } from "../peers.js";
import { hasWritten } from "./has-written.js";

/** The recipient of a message, as the session's pace and its restrictions see it. */
export type Person = Contact & Addressee;

/** Returns the recipient of a message, if it is one person other than the account itself. */
export function contactOf(connector: TelegramConnector, peer: Peer, signal: Ending): Person | undefined {
  const { peers } = connector;
  const { id } = peer;
  if (id === connector.self() || splitMarkedId(id).kind !== "user") return undefined;
  return { id, isKnown: () => peers.hasMet(id), hasWritten: () => hasWritten(connector, peer, signal) };
}
