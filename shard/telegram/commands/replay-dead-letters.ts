import type { Empty } from "../../../shared/contract/session.js";
import type { ReplayOutput } from "../../../shared/contract/telegram/webhook.js";
import type { TelegramSession } from "../session.js";

/** POST /admin/sessions/{id}/dead-letters/replay: they go out once more, behind what waits. */
export function replayDeadLetters(session: TelegramSession, _input: Empty): Promise<ReplayOutput> {
  return session.context.webhook.replayDeadLetters();
}
