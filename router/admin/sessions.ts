import { signalOf } from "../../shared/flow/abort-scope.js";
import type { Ending } from "../../shared/flow/ending.js";
import * as errors from "../../shared/contract/errors.js";
import { isSessionId, type SessionId } from "../../shared/contract/ids.js";
import { isTenantName } from "../../shared/contract/tenant.js";
import type { Count } from "../../shared/contract/plain-values.js";
import { platforms } from "../../shared/contract/platform.js";
import { readMarks, pin } from "../../shared/cluster/operator-marks.js";
import { announceSlots } from "../../shared/cluster/ownership.js";
import { slotOf } from "../../shared/contract/slot.js";
import { keys } from "../../shared/redis/keys.js";
import type { StoredSession } from "../sessions/session-reader.js";
import type { Admits } from "../sessions/session-records.js";
import { requireActive, type SessionPort } from "../endpoint/authenticate.js";
import type { CommandPort, HttpInput } from "../endpoint/endpoint.js";
import { toHttpInput } from "../endpoint/http-input.js";
import { json } from "../http/response.js";
import { isOf } from "../tenant/judge.js";
import type { Principal } from "../tenant/principal.js";
import type { MovePort } from "../tenant/session-moves.js";
import { readAccountHealth, type AccountHealth } from "./account-health.js";
import { parseMember, parseNothing, parsePage, parseQuery } from "./admin-input.js";
import { actsOn, type AdminHandler } from "./admin-handler.js";
import { orStorageUnavailable } from "../http/or-storage-unavailable.js";
import { findShard, type ClusterParts } from "./members.js";
import { acceptsNdjson } from "./ndjson.js";
import { parseCursor } from "./session-cursor.js";
import type { SessionRowWithQueue, SessionDirectory } from "./session-directory.js";
import { readProxySource, type ProxyInUse, shownTo, type ProxySourceParts } from "./session-proxy-source.js";
import { streamSessions, type SessionStreamParts } from "./session-stream.js";
import { filterNames, parseFilter, visibleTo } from "./session-filter.js";

export interface SessionsParts extends ClusterParts, SessionStreamParts, Pick<ProxySourceParts, "ring"> {
  readonly directory: SessionDirectory;
  readonly sessions: SessionPort;
  readonly commands: CommandPort;
  readonly moves: MovePort;
}

/**
 * GET /admin/sessions: a page may be short or empty and still have a next one. Clients that accept NDJSON get all sessions, one per line.
 */
export function listSessions(parts: SessionsParts): AdminHandler {
  const { directory } = parts;
  return async (request, signal, principal) => {
    if (acceptsNdjson(request)) return await streamSessions(parts, request, signalOf(signal), principal);
    const query = parseQuery(await toHttpInput(request), ["limit", "after", ...filterNames]);
    const { limit, after } = parsePage(query);
    const from = parseCursor(after);
    const visible = visibleTo(principal, parseFilter(query));
    if (visible === undefined) return json(200, JSON.stringify({ docs: [], next: "" }));
    return json(200, JSON.stringify(await orStorageUnavailable(directory.page(visible, from, limit, signalOf(signal)))));
  };
}

/** GET /admin/sessions/{id}. */
export function getSession({ directory, redis, ring }: SessionsParts): AdminHandler {
  return async (request, _signal, principal) => {
    const id = idIn(await toHttpInput(request));
    const session = await orStorageUnavailable(directory.get(id, (owner) => isOf(principal, owner)));
    if (session === undefined || !isTenantName(session.tenant)) throw errors.sessionNotFound();
    const [source, health] = await orStorageUnavailable(
      Promise.all([readProxySource({ redis, ring }, id, session.tenant), readAccountHealth({ redis, ring }, id)]),
    );
    return json(200, JSON.stringify({ ...session, proxy: shownTo(principal, source), health } satisfies SessionDetails));
  };
}

/** DELETE /admin/sessions/{id}: logs out and deletes as the session's owner would, without a way to restore it. */
export function deleteSession(parts: SessionsParts): AdminHandler {
  return change(parts, "delete-session");
}

/** POST /admin/sessions/{id}/restart: reconnects and keeps the login. */
export function restartSession(parts: SessionsParts): AdminHandler {
  return change(parts, "restart-session");
}

/**
 * POST /admin/sessions/{id}/move `{member}`: moves the whole slot, with all of its sessions, and pins it there. Tenants have few moves per
 * hour, because a move disturbs the other sessions in the slot.
 */
export function moveSession(parts: SessionsParts): AdminHandler {
  return async (request, signal, principal) => {
    const { redis, members, moves } = parts;
    const http = await toHttpInput(request);
    const session = await findSession(parts, principal, http, signal);
    actsOn(request, principal, session);
    const { name } = await findShard(parts, parseMember(http));
    const { drained } = await orStorageUnavailable(readMarks(redis));
    if (members.get(name)?.state !== "active" || drained.has(name)) throw errors.memberTakesNoSlots();
    if (principal.role !== "admin") await moves.take(principal.tenant);
    const slot = slotOf(session.id);
    await orStorageUnavailable(pin(redis, slot, name));
    await announceSlots(redis, [slot]).catch(() => undefined);
    // A tenant must not see how many sessions others have in that slot.
    const sessions = principal.role === "admin" ? { sessions: await orStorageUnavailable(redis.scard(keys.slotSessions(slot))) } : {};
    return json(200, JSON.stringify({ id: session.id, slot, member: name, ...sessions } satisfies MovedSession));
  };
}

/** One session with its proxy and its health. */
export interface SessionDetails extends SessionRowWithQueue {
  /** Proxy of the session. */
  proxy: ProxyInUse;
  /** How the platform treats the account. */
  health: AccountHealth;
}

/** Result of moving a session. */
export interface MovedSession {
  /** Id of the session. */
  id: string;
  /** Slot of the session. It moves with all of its sessions. */
  slot: Count;
  /** Shard that the slot is pinned to. */
  member: string;
  /** Number of sessions in the slot. Only for the role `admin`. */
  sessions?: Count;
}

function change(parts: SessionsParts, command: "delete-session" | "restart-session"): AdminHandler {
  return async (request, signal, principal) => {
    const http = await toHttpInput(request);
    parseNothing(http);
    const session = await findSession(parts, principal, http, signal);
    actsOn(request, principal, session);
    await requireActive(parts.sessions, session, signal);
    return json(
      200,
      JSON.stringify(await parts.commands.call(session.platform, command, session.id, {}, { signal, requestId: request.requestId })),
    );
  };
}

/** Throws 404 if the session does not exist or belongs to another tenant. */
export async function findSession(
  { sessions }: SessionsParts,
  principal: Principal,
  http: HttpInput,
  signal: Ending,
): Promise<StoredSession> {
  const id = idIn(http);
  const admits: Admits = (record) => record !== undefined && isOf(principal, record);
  const read = await Promise.all(platforms.map((platform) => sessions.read(platform, id, admits)));
  const found = read.find((session) => session !== undefined);
  signal.throwIfAborted();
  if (found === undefined || found.state.kind === "deleted") throw errors.sessionNotFound();
  return found;
}

function idIn({ params }: HttpInput): SessionId {
  const id = params["id"] ?? "";
  if (!isSessionId(id)) throw errors.sessionNotFound();
  return id;
}
