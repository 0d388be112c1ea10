import type { Log } from "../../shared/log/logger.js";
import { commandRows } from "../../shared/contract/commands.js";
import type { SessionReader } from "../session/session-reader.js";
import type { ApiKeys } from "../endpoint/api-keys.js";
import type { SessionPort } from "../endpoint/authenticate.js";
import { authorize } from "../endpoint/authorize.js";
import type { CommandPort } from "../endpoint/endpoint.js";
import type { RoutePort } from "../endpoint/mount.js";
import { catching, refusing } from "../endpoint/serve.js";
import type { HttpHandler } from "../http/handler.js";
import { listAudit } from "./audit.js";
import { atMost, type AdminRoute } from "./admin-route.js";
import { listDeadLetters, replayDeadLetters } from "./dead-letters.js";
import { drainMember, listMembers, undrainMember, type ClusterParts } from "./members.js";
import { getSlot, pinSlot, unpinSlot } from "./slots.js";
import { undeleteSession } from "./undelete-session.js";

export interface AdminApiParts extends ClusterParts {
  readonly app: RoutePort;
  readonly sessions: SessionPort & Pick<SessionReader, "readDeleted">;
  readonly commands: CommandPort;
  readonly apiKeys: ApiKeys;
  readonly log: Log;
}

/** Over a call's own waits: the wait for an owner, and a slow client. */
const marginMs = 20_000;
/** Of one call at one router. */
const callsAtOnce = 16;

/** Puts the operators' endpoints on the app: they stand beside the variants, and need a key with the admin role. */
export function createAdminApi({ app, apiKeys, log, ...parts }: AdminApiParts): void {
  for (const { method, path, name, workMs, handler } of routes(parts)) {
    const label = `admin ${name}`;
    const known: HttpHandler = (request, signal) => {
      request.identified();
      return handler(request, signal);
    };
    const refusal = refusing((request) => authorize(apiKeys, "admin", request), label, log);
    app.route(method, path, catching(atMost(callsAtOnce, known), label, log), { name: label, refusal, deadlineMs: workMs + marginMs });
  }
}

function routes({ sessions, commands, redis, members }: Omit<AdminApiParts, "app" | "apiKeys" | "log">): AdminRoute[] {
  const cluster = { redis, members };
  const letters = "/admin/sessions/:id/dead-letters";
  const commandMs = (command: "list-dead-letters" | "replay-dead-letters" | "undelete-session"): number =>
    commandRows.telegram[command].deadlineMs;
  return [
    {
      ...{ method: "GET", path: letters, name: "list-dead-letters", workMs: commandMs("list-dead-letters") },
      handler: listDeadLetters(sessions, commands),
    },
    {
      ...{ method: "POST", path: `${letters}/replay`, name: "replay-dead-letters", workMs: commandMs("replay-dead-letters") },
      handler: replayDeadLetters(sessions, commands),
    },
    {
      ...{ method: "POST", path: "/admin/sessions/:id/undelete", name: "undelete-session", workMs: commandMs("undelete-session") },
      handler: undeleteSession(sessions, commands),
    },
    { method: "GET", path: "/admin/members", name: "list-members", workMs: 0, handler: listMembers(cluster) },
    { method: "POST", path: "/admin/members/:name/drain", name: "drain-member", workMs: 0, handler: drainMember(cluster) },
    { method: "POST", path: "/admin/members/:name/undrain", name: "undrain-member", workMs: 0, handler: undrainMember(cluster) },
    { method: "GET", path: "/admin/audit", name: "list-audit", workMs: 0, handler: listAudit(redis) },
    { method: "GET", path: "/admin/slots/:slot", name: "get-slot", workMs: 0, handler: getSlot(cluster) },
    { method: "PUT", path: "/admin/slots/:slot/pin", name: "pin-slot", workMs: 0, handler: pinSlot(cluster) },
    { method: "DELETE", path: "/admin/slots/:slot/pin", name: "unpin-slot", workMs: 0, handler: unpinSlot(cluster) },
  ];
}
