import type { SessionReference } from "../../../shared/contract/session.js";
import type { Session } from "../session.js";

/** POST /session/reset: logs out and prepares a new QR code at once. */
export async function resetSession(session: Session): Promise<SessionReference> {
  await session.reset();
  return { id: session.id };
}
