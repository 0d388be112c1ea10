import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { isSessionId, type SessionId } from "../../shared/contract/ids.js";
import type { Platform } from "../../shared/contract/platform.js";
import type { ApiError } from "../../shared/contract/api-error.js";
import * as errors from "../../shared/contract/errors.js";
import type { Ending } from "../../shared/flow/ending.js";
import { headerMaxBytes } from "../../shared/limits.js";
import type { FormerRights } from "../sessions/former-rights.js";
import type { StoredSession } from "../sessions/session-reader.js";
import type { Admits, StoredRight } from "../sessions/session-records.js";
import { WrongCredentials } from "../tenant/guard/wrong-credentials.js";
import { singleHeader, type HttpRequest } from "../http/request.js";
import { isOf, judge } from "../tenant/judge.js";
import type { KeyPort, Principal } from "../tenant/principal.js";
import { identify, identityOf, RoleRefused } from "./authorize.js";

/** Reads session records. `waitActive` waits about 5 s at most for a session that is between two owners. */
export interface SessionPort {
  /** Treats a record that `admits` rejects as missing, and takes the same time. */
  read(platform: Platform, id: SessionId, admits?: Admits): Promise<StoredSession | undefined>;
  /** Returns the result of `read` if this process knows it. Returns `undefined` if it must be read or is not admitted. */
  atHand(platform: Platform, id: SessionId, admits: Admits): StoredSession | undefined;
  waitActive(platform: Platform, id: SessionId, signal?: Ending): Promise<StoredSession | undefined>;
  /** Former callers of sessions that may be deleted. */
  readonly former: Pick<FormerRights, "remember" | "get">;
}

export interface Authenticated {
  readonly session: StoredSession;
  /** The caller's valid `session-id`; empty if its API key was enough. */
  readonly secret: string;
}

/** Credentials from the headers, in valid form. At least one of secret and principal is present. */
interface Claim {
  readonly id: string;
  readonly secret: string | undefined;
  readonly principal: Principal | undefined;
}

/**
 * Checks the headers `id` and `session-id`: 400 if malformed, 404 for every wrong pair, in the same time whether the id exists or not. A
 * key of the session's tenant may replace `session-id`; if both are sent, both must fit.
 */
export async function authenticate(sessions: SessionPort, keys: KeyPort, platform: Platform, request: HttpRequest): Promise<Authenticated> {
  const claim = readClaim(keys, request);
  const { id, secret, principal } = claim;
  // An id of another shape is never used to build a Redis key.
  const session = isSessionId(id) ? await sessions.read(platform, id, admitsOf(claim)) : undefined;
  if (session === undefined || session.state.kind === "deleted") {
    if (principal !== undefined) request.identified({ ...identityOf(principal), refused: true });
    throw notFound(sessions, claim);
  }
  sessions.former.remember(session.id, session);
  request.identified({ who: principal?.keyId ?? "session", tenant: session.tenant, incarnation: session.incarnation, session: session.id });
  return { session, secret: secret ?? "" };
}

/** Does the same without a wait, for unaudited routes. Returns `undefined` if `authenticate` must read or reject. */
export function authenticateAtHand(
  sessions: Pick<SessionPort, "atHand">,
  keys: KeyPort,
  platform: Platform,
  request: Pick<HttpRequest, "headers">,
): Authenticated | undefined {
  const claim = readClaim(keys, request);
  const session = isSessionId(claim.id) ? sessions.atHand(platform, claim.id, admitsOf(claim)) : undefined;
  return session && { session, secret: claim.secret ?? "" };
}

/** A caller whose credentials were right before the deletion gets the 404 each time. All others count as guessing. */
function notFound({ former }: Pick<SessionPort, "former">, claim: Claim): ApiError {
  const { id } = claim;
  const wasRight = admitsOf(claim)(isSessionId(id) ? former.get(id) : undefined);
  return wasRight ? errors.sessionNotFound() : new WrongCredentials(errors.sessionNotFound(), id);
}

function admitsOf({ secret, principal }: Claim): Admits {
  return (record) => {
    const fits = secret === undefined || isEqual(secret, record);
    return record !== undefined && fits && (principal === undefined || isOf(principal, record));
  };
}

/** Reads the credentials: 400 for malformed headers, 401 for an unknown key, 403 for a role that needs the session's secret. */
export function readClaim(keys: KeyPort, request: Pick<HttpRequest, "headers">): Claim {
  const id = credential(request, "id");
  const hasKey = request.headers.has("x-api-key");
  const secret = hasKey && !request.headers.has("session-id") ? undefined : credential(request, "session-id");
  const principal = hasKey ? identify(keys, request) : undefined;
  if (secret === undefined && principal !== undefined && judge(principal, "use-session") === "refused") throw new RoleRefused(principal);
  return { id, secret, principal };
}

/**
 * Waits until a living owner serves the session. Rejects with 500 `session not found` if its owner is too late. Returns a session without
 * an owner, or with a new one, as it is: its command waits at the bus.
 */
export async function requireActive(sessions: SessionPort, session: StoredSession, signal: Ending): Promise<StoredSession> {
  if (session.active) return session;
  const later = await sessions.waitActive(session.platform, session.id, signal);
  if (later === undefined || later.state.kind === "deleted") throw errors.sessionNotFound();
  if (!later.active && later.owned) throw errors.sessionNotActive();
  return later;
}

function isEqual(secret: string, record: StoredRight | undefined): boolean {
  const given = hash("sha256", secret, "buffer");
  const stored = record === undefined ? dummyHash : Buffer.from(record.secretHash, "hex");
  return stored.length === given.length && timingSafeEqual(stored, given);
}

/** Hash of no known secret. Unknown ids are compared with it. */
const dummyHash = randomBytes(32);

/** Returns a credential header; 400 if it is missing, empty, too long, repeated or not ASCII. */
export function credential(request: Pick<HttpRequest, "headers">, name: string): string {
  const value = singleHeader(request, name);
  if (value === undefined || value.length > headerMaxBytes || !/^[\u0000-\u007f]+$/.test(value)) throw errors.invalidHeader();
  return value;
}
