import { sessionNotConnected } from "../../../shared/contract/errors.js";
import type { SessionReference, SetProxy } from "../../../shared/contract/session.js";
import { UnreadableRecord } from "../../../shared/session/unreadable-record.js";
import type { CommandCall } from "../command.js";
import type { Session } from "../session.js";

/** PUT and DELETE /admin/sessions/{id}/proxy: stored first, so that a repeat, or the next owner, connects as it says. Answers when the former connection is over. */
export async function setProxy(session: Session, { proxy }: SetProxy, { log }: CommandCall): Promise<SessionReference> {
  try {
    if (await session.context.setProxy(proxy)) await session.reroute();
  } catch (error) {
    // What is sealed under a key that does not open could be read by nobody.
    throw error instanceof UnreadableRecord ? sessionNotConnected(error) : error;
  }
  log.info({ own: proxy !== "" }, "proxy set");
  return { id: session.id };
}
