import type { SessionId } from "../../shared/contract/ids.js";
import * as errors from "../../shared/contract/errors.js";
import type { Platform } from "../../shared/contract/platform.js";
import type { SessionPort } from "../endpoint/authenticate.js";
import { isConnected, isLoggedIn } from "./media-freshness.js";
import type { MediaSession } from "./media-sessions.js";

/** Sessions as media requests need them. */
export interface MediaSessionPort {
  /** Returns the remembered session without I/O, or `undefined` if Redis must be read. */
  atHand(id: SessionId): MediaSession | undefined;
  /** Reads the session from Redis; `undefined` if it does not exist. */
  read(id: SessionId): Promise<MediaSession | undefined>;
}

/** Returns a session with a login. Throws 404 for a deleted session and 500 without a login, whatever is cached. */
export async function readLogin(sessions: MediaSessionPort, id: SessionId): Promise<MediaSession> {
  const session = sessions.atHand(id) ?? (await sessions.read(id));
  if (session === undefined || session.kind === "deleted") throw errors.mediaNotFound();
  if (!isLoggedIn(session)) throw errors.sessionNotConnected();
  return session;
}

/**
 * Waits a bounded time for a session between two owners, and reads it anew before it rejects. Requires a login; cached media needs
 * neither. The shard itself waits for the connection.
 */
export async function requireLogin(
  owners: Pick<SessionPort, "waitActive">,
  platform: Platform,
  id: SessionId,
  session: MediaSession,
  signal: AbortSignal,
): Promise<void> {
  if (isConnected(session)) return;
  const current = await owners.waitActive(platform, id, signal);
  const isWithOthers = current?.owned === false;
  if ((current?.active !== true && !isWithOthers) || !isLoggedIn(current.state)) throw errors.sessionNotConnected();
}
