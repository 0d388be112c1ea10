import { row, type CommandFacts } from "./command-row.js";
import { outcomeUnknown, serverBusy, sessionNotConnected } from "./errors.js";
import type { SessionLimits } from "./limits.js";
import type { Empty, SessionReference, SetProxy } from "./session.js";
import { listTimeoutMs } from "../limits.js";

const change: CommandFacts & { readonly session: "finds" } = {
  class: "once",
  lane: "ordered",
  deadlineMs: listTimeoutMs,
  late: outcomeUnknown,
  needsConnection: false,
  changesRecord: true,
  isMessage: false,
  isAudited: true,
  session: "finds",
};

/** Endpoints for the life of a session that are the same on every platform. */
export const sessionEndpoints = {
  "reset-session": row<Empty, SessionReference>(change),
  "delete-session": row<Empty, SessionReference>(change),
  /** Works without a connection. The shard queries the platform if there is one, and does not wait for other commands. */
  "get-limits": row<Empty, SessionLimits>({
    class: "read",
    lane: "read",
    deadlineMs: listTimeoutMs,
    late: sessionNotConnected,
    needsConnection: false,
    changesRecord: false,
    isMessage: false,
    isAudited: false,
    session: "finds",
  }),
};

/**
 * Facts of operators' commands. A retry repeats the same effect. They do not wait for sends, because a stuck send may be the reason for
 * them.
 */
const operation: CommandFacts & { readonly session: "finds" } = {
  class: "read",
  lane: "read",
  deadlineMs: 15_000,
  late: sessionNotConnected,
  needsConnection: false,
  changesRecord: true,
  isMessage: false,
  isAudited: false,
  session: "finds",
};

/**
 * Facts of a command that creates its session. Safe to retry: the router chose the id, so an existing record is the outcome of an earlier
 * try.
 */
export const creation: CommandFacts & { readonly session: "creates" } = {
  class: "read",
  lane: "read",
  deadlineMs: 15_000,
  late: serverBusy,
  needsConnection: false,
  changesRecord: false,
  isMessage: false,
  isAudited: true,
  session: "creates",
};

/** Commands for the life of a session without an endpoint of their own. */
export const sessionInternals = {
  /**
   * Restores a session that a timer deleted at most a day ago. The record names the command that restored it, so a retry finds its own
   * outcome.
   */
  "undelete-session": row<Empty, SessionReference>({ ...operation, session: "undeletes" }),
  "restart-session": row<Empty, SessionReference>(operation),
  "set-proxy": row<SetProxy, SessionReference>(operation),
};
