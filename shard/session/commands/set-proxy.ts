import { sessionNotConnected } from "../../../shared/contract/errors.js";
import type { SessionReference, SetProxy } from "../../../shared/contract/session.js";
import { UnreadableRecord } from "../../../shared/session/unreadable-record.js";
import type { CommandCall } from "../command.js";
import type { Session } from "../session.js";

/**
 * PUT and DELETE /admin/sessions/{id}/proxy: stored first, so that a repeat or the next owner uses it. Resolves when the former connection
 * has ended.
 */
export async function setProxy(session: Session, { proxy }: SetProxy, { log }: CommandCall): Promise<SessionReference> {
  try {
    if (await session.context.setProxy(proxy)) await session.reroute();
  } catch (error) {
    // Text sealed under an unreadable key could not be read again.
    throw error instanceof UnreadableRecord ? sessionNotConnected(error) : error;
  }
  log.info({ own: proxy !== "" }, "proxy set");
  return { id: session.id };
}
