import type { KeyRing } from "../../shared/crypto/key-ring.js";
import type { MemberWatch } from "../../shared/cluster/member-watch.js";
import type { Log } from "../../shared/log/logger.js";
import { commandRows } from "../../shared/contract/commands.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import type { SessionReader } from "../session/session-reader.js";
import type { SessionPort } from "../endpoint/authenticate.js";
import { authorize } from "../endpoint/authorize.js";
import type { CommandPort } from "../endpoint/endpoint.js";
import type { RoutePort } from "../endpoint/mount.js";
import { catching, refusing, type GuardPort } from "../endpoint/serve.js";
import { splitRoute } from "../http/handler.js";
import type { NewsFeed } from "../news/news-feed.js";
import type { DirectoryStore } from "../tenant/directory-store.js";
import type { KeyDirectory } from "../tenant/key-directory.js";
import type { HttpRequest } from "../http/request.js";
import type { KeyPort, Principal } from "../tenant/principal.js";
import type { MovePort } from "../tenant/session-moves.js";
import type { PlacePort, SessionPlaces } from "../tenant/session-places.js";
import { listAudit } from "./audit.js";
import { atMost, type AdminRoute } from "./admin-route.js";
import { listDeadLetters, replayDeadLetters } from "./dead-letters.js";
import { changeSessions } from "./bulk-sessions.js";
import { getKeyring, rotateKeyring } from "./keyring.js";
import { streamEvents } from "./events.js";
import { createKey, deleteKey, listKeys } from "./keys.js";
import { drainMember, listMembers, undrainMember } from "./members.js";
import { getSelf } from "./self.js";
import { SessionDirectory } from "./session-directory.js";
import { deleteSession, getSession, listSessions, moveSession, restartSession } from "./sessions.js";
import { mountSignIn } from "./sign-in.js";
import { getSlot, pinSlot, unpinSlot } from "./slots.js";
import { changeTenant, createTenant, deleteTenant, getTenant, listTenants } from "./tenants.js";
import { undeleteSession } from "./undelete-session.js";

export interface AdminApiParts {
  readonly app: RoutePort;
  readonly redis: RedisClient;
  readonly members: MemberWatch;
  readonly sessions: SessionPort & Pick<SessionReader, "readDeleted">;
  readonly commands: CommandPort;
  readonly directory: KeyPort & Pick<KeyDirectory, "refresh" | "stands">;
  readonly store: DirectoryStore;
  readonly places: PlacePort & Pick<SessionPlaces, "tidy">;
  readonly moves: MovePort;
  readonly news: Pick<NewsFeed, "open">;
  readonly guard: GuardPort;
  readonly ring: Pick<KeyRing, "open">;
  readonly log: Log;
}

/** Over a call's own waits: the wait for an owner, and a slow client. */
const marginMs = 20_000;
/** Of one call at one router, where it does not say otherwise. */
const callsAtOnceDefault = 16;

/** Puts the operators' endpoints on the app: they stand beside the variants, and need a key whose role may do what they do. */
export function createAdminApi({ app, guard, ...parts }: AdminApiParts): void {
  mountSignIn({ app, guard, ...parts });
  for (const { route, name, action, workMs = 0, callsAtOnce = callsAtOnceDefault, compressible = false, handler } of routes(parts)) {
    const { directory, log } = parts;
    const caught = { keys: directory, guard, log };
    const [method, path] = splitRoute(route);
    const label = `admin ${name}`;
    const refusal = refusing((request) => authorize(directory, action, request), label, caught);
    const authenticate = (request: HttpRequest): Principal => {
      const principal = authorize(directory, action, request);
      request.identified({ who: principal.keyId, tenant: principal.role === "admin" ? "" : principal.tenant });
      return principal;
    };
    const known = { authenticate, handle: atMost(callsAtOnce, handler) };
    app.route(method, path, catching(known, label, caught), { name: label, refusal, compressible, deadlineMs: workMs + marginMs });
  }
}

function routes({
  sessions,
  commands,
  redis,
  members,
  ring,
  directory,
  store,
  places,
  moves,
  news,
  log,
}: Omit<AdminApiParts, "app" | "guard">): AdminRoute[] {
  const cluster = { redis, members };
  const tenancy = { store, directory, places, log };
  const stands = (principal: Principal): boolean => directory.stands(principal);
  const sessionDirectory = new SessionDirectory(redis, members, ring);
  const session = { redis, members, sessions, commands, moves, stands, directory: sessionDirectory, log };
  const undelete = undeleteSession(sessions, commands, places);
  const command = (name: keyof typeof commandRows.telegram): Omit<AdminRoute, "route" | "handler"> => ({
    name,
    action: "operate-session",
    workMs: commandRows.telegram[name].deadlineMs,
  });
  const letters = "/admin/sessions/:id/dead-letters";
  return [
    { route: "GET /admin/self", name: "get-self", action: "read-self", handler: getSelf() },
    { route: `GET ${letters}`, ...command("list-dead-letters"), handler: listDeadLetters(sessions, commands) },
    { route: `POST ${letters}/replay`, ...command("replay-dead-letters"), handler: replayDeadLetters(sessions, commands) },
    { route: "POST /admin/sessions/:id/undelete", ...command("undelete-session"), handler: undelete },
    {
      route: "POST /admin/sessions/bulk",
      name: "change-sessions",
      action: "operate-session",
      callsAtOnce: 4,
      handler: changeSessions({ ...session, undelete }),
    },
    { route: "GET /admin/sessions", name: "list-sessions", action: "read-session", compressible: true, handler: listSessions(session) },
    { route: "GET /admin/sessions/:id", name: "get-session", action: "read-session", handler: getSession(session) },
    { route: "DELETE /admin/sessions/:id", ...command("delete-session"), handler: deleteSession(session) },
    { route: "POST /admin/sessions/:id/restart", ...command("restart-session"), handler: restartSession(session) },
    { route: "POST /admin/sessions/:id/move", name: "move-session", action: "operate-session", handler: moveSession(session) },
    { route: "GET /admin/members", name: "list-members", action: "read-members", compressible: true, handler: listMembers(cluster) },
    { route: "POST /admin/members/:name/drain", name: "drain-member", action: "administer", handler: drainMember(cluster) },
    { route: "POST /admin/members/:name/undrain", name: "undrain-member", action: "administer", handler: undrainMember(cluster) },
    { route: "GET /admin/keyring", name: "get-keyring", action: "administer", handler: getKeyring(cluster) },
    { route: "POST /admin/keyring/rotate", name: "rotate-keyring", action: "administer", handler: rotateKeyring(cluster) },
    { route: "GET /admin/events", name: "stream-events", action: "read-session", callsAtOnce: Infinity, handler: streamEvents(news) },
    { route: "GET /admin/audit", name: "list-audit", action: "read-session", compressible: true, handler: listAudit(redis) },
    { route: "GET /admin/slots/:slot", name: "get-slot", action: "read-members", handler: getSlot(cluster) },
    { route: "PUT /admin/slots/:slot/pin", name: "pin-slot", action: "administer", handler: pinSlot(cluster) },
    { route: "DELETE /admin/slots/:slot/pin", name: "unpin-slot", action: "administer", handler: unpinSlot(cluster) },
    { route: "GET /admin/tenants", name: "list-tenants", action: "administer", compressible: true, handler: listTenants(tenancy) },
    { route: "POST /admin/tenants", name: "create-tenant", action: "administer", handler: createTenant(tenancy) },
    { route: "GET /admin/tenants/:name", name: "get-tenant", action: "administer", handler: getTenant(tenancy) },
    { route: "PATCH /admin/tenants/:name", name: "change-tenant", action: "administer", handler: changeTenant(tenancy) },
    { route: "DELETE /admin/tenants/:name", name: "delete-tenant", action: "administer", handler: deleteTenant(tenancy) },
    { route: "GET /admin/keys", name: "list-keys", action: "administer", compressible: true, handler: listKeys(tenancy) },
    { route: "POST /admin/keys", name: "create-key", action: "administer", handler: createKey(tenancy) },
    { route: "DELETE /admin/keys/:id", name: "delete-key", action: "administer", handler: deleteKey(tenancy) },
  ];
}
