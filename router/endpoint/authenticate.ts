import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { isSessionId, type SessionId } from "../../shared/contract/ids.js";
import type { Platform } from "../../shared/contract/platform.js";
import * as errors from "../../shared/contract/errors.js";
import { headerMaxBytes } from "../../shared/limits.js";
import type { StoredSession } from "../session/session-reader.js";
import { singleHeader, type HttpRequest } from "../http/request.js";

/** Reads session records. `waitActive` gives a session that is between two owners a bounded moment (about 5 s). */
export interface SessionPort {
  read(platform: Platform, id: SessionId): Promise<StoredSession | undefined>;
  waitActive(platform: Platform, id: SessionId, signal?: AbortSignal): Promise<StoredSession | undefined>;
}

export interface Authenticated {
  readonly session: StoredSession;
  /** The `session-id` that the caller sent and that proved right. */
  readonly secret: string;
}

/**
 * Checks the headers `id` and `session-id`: 400 when one is missing, empty, too long or repeated; 404 for every
 * pair that does not fit together, in the same time whether the id exists or not.
 */
export async function authenticate(sessions: SessionPort, platform: Platform, request: HttpRequest): Promise<Authenticated> {
  const { id, secret } = readCredentials(request);
  // An id of another shape reads nothing, as no key may be built of it.
  const session = isSessionId(id) ? await sessions.read(platform, id) : undefined;
  const given = createHash("sha256").update(secret).digest();
  const stored = session === undefined ? dummyHash : Buffer.from(session.secretHash, "hex");
  const equal = stored.length === given.length && timingSafeEqual(stored, given);
  if (session === undefined || !equal || session.state.kind === "deleted") throw errors.sessionNotFound();
  request.identified(session.id);
  return { session, secret };
}

/** What the caller says of itself, in the right shape; 400 otherwise. */
export function readCredentials(request: Pick<HttpRequest, "headers">): { id: string; secret: string } {
  return { id: credential(request, "id"), secret: credential(request, "session-id") };
}

/** The session once a living owner has taken it up; 500 `session not found` when none did in time. */
export async function requireActive(sessions: SessionPort, session: StoredSession, signal: AbortSignal): Promise<StoredSession> {
  if (session.active) return session;
  const later = await sessions.waitActive(session.platform, session.id, signal);
  if (later === undefined || later.state.kind === "deleted") throw errors.sessionNotFound();
  if (!later.active) throw errors.sessionNotActive();
  return later;
}

/** What an unknown id is compared with: the hash of nothing that anybody knows. */
const dummyHash = randomBytes(32);

function credential(request: Pick<HttpRequest, "headers">, name: string): string {
  const value = singleHeader(request, name);
  if (value === undefined || value === "" || Buffer.byteLength(value) > headerMaxBytes) throw errors.invalidHeader();
  return value;
}
