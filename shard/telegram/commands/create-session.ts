import type { SessionReference } from "../../../shared/contract/telegram/session.js";
import type { TelegramSession } from "../session.js";

/** POST /session: the host has made the record and runs the session; its first QR code follows within seconds. */
export async function createSession(session: TelegramSession): Promise<SessionReference> {
  return { id: session.id };
}
