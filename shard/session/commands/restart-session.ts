import type { SessionReference } from "../../../shared/contract/session.js";
import type { Session } from "../session.js";

/** POST /admin/sessions/{id}/restart: closes the connection and opens another one with the same login. */
export async function restartSession(session: Session): Promise<SessionReference> {
  await session.reconnect();
  session.log.info("session restarted by an operator");
  return { id: session.id };
}
