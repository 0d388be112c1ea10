import type { CommandFacts } from "./command-row.js";
import { sendTimeout } from "./errors.js";
import { sendTimeoutMs } from "../limits.js";

/** A message. Its id on the platform derives from the command's: a repeat is the same message. */
export const sending: CommandFacts & { readonly session: "finds" } = {
  class: "send",
  lane: "ordered",
  deadlineMs: sendTimeoutMs,
  late: sendTimeout,
  needsConnection: true,
  changesRecord: false,
  isMessage: true,
  isAudited: false,
  session: "finds",
};
