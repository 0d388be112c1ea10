import type { SessionReference } from "../../../shared/contract/session.js";
import type { Session } from "../session.js";

/** POST /admin/sessions/{id}/restart: its connection ends and another one is made, with the login that it has. */
export async function restartSession(session: Session): Promise<SessionReference> {
  await session.reconnect();
  session.log.info("session restarted by an operator");
  return { id: session.id };
}
