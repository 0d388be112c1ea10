import type { Empty } from "../../../shared/contract/session.js";
import type { ReplayOutput } from "../../../shared/contract/dead-letters.js";
import type { CommandCall } from "../command.js";
import type { Session } from "../session.js";

/** POST /admin/sessions/{id}/dead-letters/replay: appends the dead letters to the outbox again, behind the waiting events. */
export function replayDeadLetters(session: Session, _input: Empty, { requestId = "" }: CommandCall): Promise<ReplayOutput> {
  return session.context.webhook.replayDeadLetters(requestId);
}
