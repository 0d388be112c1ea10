import type { SessionId } from "../../shared/contract/ids.js";
import * as errors from "../../shared/contract/telegram/errors.js";
import type { SessionPort } from "../endpoint/authenticate.js";
import { isConnected, isLoggedIn } from "../media/media-freshness.js";
import type { MediaSession } from "../media/media-sessions.js";

/** Sessions as media requests need them. */
export interface MediaSessionPort {
  /** As this process remembers it, without I/O; `undefined` when Redis has to be asked. */
  atHand(id: SessionId): MediaSession | undefined;
  /** As Redis has it; `undefined` when there is no such session. */
  read(id: SessionId): Promise<MediaSession | undefined>;
}

/** A session that is gone has no media, and one without a login has no right to any, whatever is cached. */
export async function readLogin(sessions: MediaSessionPort, id: SessionId): Promise<MediaSession> {
  const session = sessions.atHand(id) ?? (await sessions.read(id));
  if (session === undefined || session.kind === "deleted") throw errors.mediaNotFound();
  if (!isLoggedIn(session)) throw errors.sessionNotConnected();
  return session;
}

/**
 * Only a session with a login can be asked; one that is between two owners gets a bounded moment. What is cached needs neither. Nobody is refused
 * by what this process remembers: that is read anew. Whether one that is not connected is about to be, only its shard knows, which waits for that as for every command.
 */
export async function requireLogin(
  owners: Pick<SessionPort, "waitActive">,
  id: SessionId,
  session: MediaSession,
  signal: AbortSignal,
): Promise<void> {
  if (isConnected(session)) return;
  const current = await owners.waitActive("telegram", id, signal);
  const isWithOthers = current?.owned === false;
  if ((current?.active !== true && !isWithOthers) || !isLoggedIn(current.state)) throw errors.sessionNotConnected();
}
