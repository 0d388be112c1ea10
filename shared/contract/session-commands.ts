import { row, type CommandFacts } from "./command-row.js";
import { outcomeUnknown, sessionNotConnected } from "./errors.js";
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

/** Endpoints of a session's life that are the same on every platform. */
export const sessionEndpoints = {
  "reset-session": row<Empty, SessionReference>(change),
  "delete-session": row<Empty, SessionReference>(change),
};

/** Commands of a session's life without an endpoint of their own. */
export const sessionInternals = {
  /** Of a session that a timer deleted a day ago at most. The record names the command that took it out of the trash: a repeat finds its own outcome. */
  "undelete-session": row<Empty, SessionReference>({
    class: "read",
    lane: "read",
    deadlineMs: 15_000,
    late: sessionNotConnected,
    needsConnection: false,
    changesRecord: true,
    isMessage: false,
    isAudited: false,
    session: "undeletes",
  }),
  /** Once more is only another new connection. Waits for no send: one that hangs may be why an operator asks. */
  "restart-session": row<Empty, SessionReference>({
    class: "read",
    lane: "read",
    deadlineMs: 15_000,
    late: sessionNotConnected,
    needsConnection: false,
    changesRecord: true,
    isMessage: false,
    isAudited: false,
    session: "finds",
  }),
  /** Once more writes the same. Waits for no send, as above. */
  "set-proxy": row<SetProxy, SessionReference>({
    class: "read",
    lane: "read",
    deadlineMs: 15_000,
    late: sessionNotConnected,
    needsConnection: false,
    changesRecord: true,
    isMessage: false,
    isAudited: false,
    session: "finds",
  }),
};
