import { mediaWaitMs } from "../limits.js";
import type { ApiError } from "./api-error.js";
import type { CommandFacts } from "./command-row.js";

/** Returns the facts of a router's commands for a media link. They can be retried until that request's deadline. */
export function mediaQuestion(late: () => ApiError): CommandFacts & { readonly session: "finds" } {
  return {
    class: "read",
    lane: "media",
    deadlineMs: mediaWaitMs,
    late,
    needsConnection: true,
    changesRecord: false,
    isMessage: false,
    isAudited: false,
    session: "finds",
  };
}
