import type { ApiError } from "./api-error.js";
import type { CommandPolicy } from "./commands.js";
import { internal, sendTimeout, sessionNotConnected } from "./errors.js";
import { mediaTimeout } from "./telegram/errors.js";

/** What a caller reads when a command's time is over (reliability sheet 2.5, "Classes"). */
export function deadlineError(command: string, policy: CommandPolicy): ApiError {
  if (command === "describe-media" || command === "read-chunk") return mediaTimeout();
  if (command === "post-status" || command === "send-message") return sendTimeout();
  return policy.class === "read" ? sessionNotConnected() : internal(new Error("outcome unknown"));
}
