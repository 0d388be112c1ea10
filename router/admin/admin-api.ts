import type { KeyRing } from "../../shared/config/key-ring.js";
import type { MemberWatch } from "../../shared/cluster/member-watch.js";
import type { Log } from "../../shared/log/logger.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import type { SchemaFollower } from "../../shared/cluster/schema/schema-follower.js";
import type { SessionReader } from "../sessions/session-reader.js";
import type { SessionPort } from "../endpoint/authenticate.js";
import type { RateAdmission } from "../endpoint/admission.js";
import { authorize, identityOf } from "../endpoint/authorize.js";
import type { CommandPort } from "../endpoint/endpoint.js";
import type { RoutePort } from "../endpoint/mount.js";
import { catching, refusing, type GuardPort } from "../endpoint/serve.js";
import { splitRoute } from "../http/handler.js";
import type { EventFeed } from "./live-events/event-feed.js";
import type { DirectoryStore } from "../tenant/directory-store.js";
import type { KeyDirectory } from "../tenant/key-directory.js";
import type { HttpRequest } from "../http/request.js";
import type { KeyPort, Principal } from "../tenant/principal.js";
import type { MessageCounts } from "../tenant/message-days.js";
import type { MovePort } from "../tenant/session-moves.js";
import { TenantRemains } from "./tenant-remains.js";
import type { PlacePort, SessionPlaces } from "../tenant/session-places.js";
import { listAudit } from "./audit.js";
import { atMost, type AdminHandler } from "./admin-handler.js";
import { adminRoutes, type AdminName, type AdminRoute } from "./admin-routes.js";
import { listDeadLetters, onWebhook } from "./dead-letters.js";
import { changeSessions } from "./bulk-sessions.js";
import { getKeyring, rotateKeyring } from "./keyring.js";
import { streamEvents } from "./events.js";
import { changeKey, createKey, deleteKey, listKeys } from "./keys.js";
import { drainMember, listMembers, undrainMember } from "./members.js";
import { getSelf } from "./self.js";
import { removeProxy, setProxy } from "./session-proxy.js";
import { SessionDirectory } from "./session-directory.js";
import { deleteSession, getSession, listSessions, moveSession, restartSession } from "./sessions.js";
import { mountSignIn } from "./sign-in.js";
import { getSlot, listSlots, pinSlot, unpinSlot } from "./slots.js";
import { changeTenant, createTenant, deleteTenant, getTenant, listTenants } from "./tenants.js";
import { undeleteSession } from "./undelete-session.js";

export interface AdminApiParts {
  readonly app: RoutePort;
  readonly redis: RedisClient;
  readonly members: MemberWatch;
  readonly sessions: SessionPort & Pick<SessionReader, "readDeleted">;
  readonly commands: CommandPort;
  readonly directory: KeyPort & Pick<KeyDirectory, "refresh" | "stands" | "tenant">;
  readonly store: DirectoryStore;
  readonly places: PlacePort & Pick<SessionPlaces, "tidy">;
  readonly moves: MovePort;
  readonly messages: MessageCounts;
  readonly events: Pick<EventFeed, "open">;
  readonly guard: GuardPort;
  readonly admission: RateAdmission;
  readonly ring: Pick<KeyRing, "open" | "seal">;
  readonly schema: Pick<SchemaFollower, "isWhole">;
  readonly log: Log;
}

/** Added to a call's own waits: the wait for an owner, and a slow client. */
const marginMs = 20_000;
/** Concurrent runs of one call at one router, unless the call sets its own limit. */
const callsAtOnceDefault = 16;

/** Registers the operators' endpoints, each of which needs a key whose role allows its action. */
export function createAdminApi({ app, guard, admission, ...parts }: AdminApiParts): void {
  mountSignIn({ app, guard, ...parts });
  const { directory, log } = parts;
  const caught = { keys: directory, guard, log };
  const handlers = handlersOf(parts);
  const isName = (name: string): name is AdminName => Object.hasOwn(handlers, name);
  for (const name of Object.keys(adminRoutes).filter(isName)) {
    const { route, action, workMs = 0, callsAtOnce = callsAtOnceDefault, compressible = false }: AdminRoute = adminRoutes[name];
    const [method, path] = splitRoute(route);
    const label = `admin ${name}`;
    const refusal = refusing((request) => authorize(directory, action, request), caught);
    const authenticate = (request: HttpRequest): Principal => {
      const principal = authorize(directory, action, request);
      request.identified(identityOf(principal));
      return principal;
    };
    const authenticated = { authenticate, handle: withinRate(admission, atMost(callsAtOnce, handlers[name])) };
    app.route(method, path, catching(authenticated, label, caught), { name: label, refusal, compressible, deadlineMs: workMs + marginMs });
  }
}

/** Counts calls of a tenant's keys in the tenant's rate, as its other requests. */
function withinRate(admission: RateAdmission, handle: AdminHandler): AdminHandler {
  return async (request, signal, principal) => {
    const refusal = principal.role === "admin" ? undefined : await admission.refusal(principal.tenant);
    return refusal ?? (await handle(request, signal, principal));
  };
}

function handlersOf({
  sessions,
  commands,
  redis,
  members,
  ring,
  schema,
  directory,
  store,
  places,
  moves,
  messages,
  events,
  log,
}: Omit<AdminApiParts, "app" | "guard" | "admission">): Readonly<Record<AdminName, AdminHandler>> {
  const cluster = { redis, members };
  const tenancy = { store, ring, directory, places, messages, remains: new TenantRemains(redis), log };
  const stands = (principal: Principal): boolean => directory.stands(principal);
  const sessionDirectory = new SessionDirectory(redis, members, ring, schema);
  const session = { redis, members, sessions, commands, moves, stands, directory: sessionDirectory, ring, log };
  const undelete = undeleteSession(sessions, commands, places);
  return {
    "get-self": getSelf(),
    "list-dead-letters": listDeadLetters(session),
    "replay-dead-letters": onWebhook(session, "replay-dead-letters"),
    "retry-webhook": onWebhook(session, "retry-webhook"),
    "send-test-event": onWebhook(session, "send-test-event"),
    "undelete-session": undelete,
    "change-sessions": changeSessions({ ...session, undelete }),
    "list-sessions": listSessions(session),
    "get-session": getSession(session),
    "delete-session": deleteSession(session),
    "restart-session": restartSession(session),
    "move-session": moveSession(session),
    "set-proxy": setProxy(session),
    "remove-proxy": removeProxy(session),
    "list-members": listMembers(cluster),
    "drain-member": drainMember(cluster),
    "undrain-member": undrainMember(cluster),
    "get-keyring": getKeyring(cluster),
    "rotate-keyring": rotateKeyring(cluster),
    "stream-events": streamEvents(events),
    "list-audit": listAudit(redis),
    "list-slots": listSlots(cluster),
    "get-slot": getSlot(cluster),
    "pin-slot": pinSlot(cluster),
    "unpin-slot": unpinSlot(cluster),
    "list-tenants": listTenants(tenancy),
    "create-tenant": createTenant(tenancy),
    "get-tenant": getTenant(tenancy),
    "change-tenant": changeTenant(tenancy),
    "delete-tenant": deleteTenant(tenancy),
    "list-keys": listKeys(tenancy),
    "create-key": createKey(tenancy),
    "change-key": changeKey(tenancy),
    "delete-key": deleteKey(tenancy),
  };
}
