import type { SessionReference } from "../../../shared/contract/session.js";
import type { Session } from "../session.js";

/** DELETE /session: logs out and forgets everything. */
export async function deleteSession(session: Session): Promise<SessionReference> {
  await session.delete();
  return { id: session.id };
}
