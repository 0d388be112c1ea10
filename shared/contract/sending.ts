import type { CommandFacts } from "./command-row.js";
import { sendTimeout } from "./errors.js";
import { sendTimeoutMs } from "../limits.js";

/** Facts of commands that send a message. The message id derives from the command id, so a retry is the same message. */
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
