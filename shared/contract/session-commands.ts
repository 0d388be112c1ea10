import { row, type CommandFacts } from "./command-row.js";
import { outcomeUnknown, serverBusy, sessionNotConnected } from "./errors.js";
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

/** What operators ask for. Once more does the same again, and waits for no send: one that hangs may be why they ask. */
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

/** Of a command that creates its session. Repeatable by construction: the router made the id, and a record that is there already is the outcome. */
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

/** Commands of a session's life without an endpoint of their own. */
export const sessionInternals = {
  /** Of a session that a timer deleted a day ago at most. The record names the command that took it out of the trash: a repeat finds its own outcome. */
  "undelete-session": row<Empty, SessionReference>({ ...operation, session: "undeletes" }),
  "restart-session": row<Empty, SessionReference>(operation),
  "set-proxy": row<SetProxy, SessionReference>(operation),
};
