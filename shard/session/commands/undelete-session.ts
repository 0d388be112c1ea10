import type { Empty, SessionReference } from "../../../shared/contract/session.js";
import type { CommandCall } from "../command.js";
import type { Session } from "../session.js";

/** POST /admin/sessions/{id}/undelete: the host has restored the record and runs the session, which connects with its stored login. */
export async function undeleteSession({ id }: Session, _input: Empty, { log }: CommandCall): Promise<SessionReference> {
  log.info("session undeleted");
  return { id };
}
