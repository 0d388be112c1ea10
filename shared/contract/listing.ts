import type { CommandFacts } from "./command-row.js";
import { sessionNotConnected } from "./errors.js";
import { listTimeoutMs } from "../limits.js";

/** A question to the platform about chats: asked again as often as need be. */
export const listing: CommandFacts & { readonly session: "finds" } = {
  class: "read",
  lane: "read",
  deadlineMs: listTimeoutMs,
  late: sessionNotConnected,
  needsConnection: true,
  changesRecord: false,
  isMessage: false,
  isAudited: false,
  session: "finds",
};
