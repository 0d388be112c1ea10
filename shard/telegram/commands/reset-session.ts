import type { SessionReference } from "../../../shared/contract/telegram/session.js";
import type { TelegramSession } from "../session.js";

/** POST /session/reset: logs out and prepares a new QR code at once. */
export async function resetSession(session: TelegramSession): Promise<SessionReference> {
  await session.reset();
  return { id: session.id };
}
