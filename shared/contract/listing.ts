import type { CommandFacts } from "./command-row.js";
import { sessionNotConnected } from "./errors.js";
import { listTimeoutMs } from "../limits.js";

/** Facts of commands that read chats and contacts from the platform. They can be retried freely. */
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
