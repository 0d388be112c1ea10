import type { SessionReference } from "../../../shared/contract/telegram/session.js";
import type { TelegramSession } from "../session.js";

/** DELETE /session: logs out and forgets everything. */
export async function deleteSession(session: TelegramSession): Promise<SessionReference> {
  await session.delete();
  return { id: session.id };
}
