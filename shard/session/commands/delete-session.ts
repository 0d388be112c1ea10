import type { Empty, SessionReference } from "../../../shared/contract/session.js";
import type { CommandCall } from "../command.js";
import type { Session } from "../session.js";

/** DELETE /session: logs out and forgets everything. */
export async function deleteSession(session: Session, _input: Empty, { log }: CommandCall): Promise<SessionReference> {
  await session.delete(log);
  return { id: session.id };
}
