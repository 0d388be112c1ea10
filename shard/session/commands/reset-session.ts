import type { Empty, SessionReference } from "../../../shared/contract/session.js";
import type { CommandCall } from "../command.js";
import type { Session } from "../session.js";

/** POST /session/reset: logs out and prepares a new QR code at once. */
export async function resetSession(session: Session, _input: Empty, { log }: CommandCall): Promise<SessionReference> {
  await session.reset(log);
  return { id: session.id };
}
