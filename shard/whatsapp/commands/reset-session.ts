import type { SessionReference } from "../../../shared/contract/session.js";
import type { WhatsAppSession } from "../session.js";

/** POST /session/reset: logs out and prepares a new QR code at once. */
export async function resetSession(session: WhatsAppSession): Promise<SessionReference> {
  await session.reset();
  return { id: session.id };
}
