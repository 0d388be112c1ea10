import { sessionEndpoints, sessionInternals } from "../../shared/contract/session-commands.js";
import { webhookInternals } from "../../shared/contract/webhook-commands.js";
import type { HttpMethod } from "../http/request.js";
import type { RoutePath } from "../http/handler.js";
import type { Action } from "../tenant/judge.js";

/** One call of the operators' API. */
export interface AdminRoute {
  readonly route: `${HttpMethod} ${RoutePath}`;
  readonly action: Action;
  /** Sum of the call's own waits, ms; absent if it has none. */
  readonly workMs?: number;
  /** Concurrent runs at one router. */
  readonly callsAtOnce?: number;
  /** The responses hold no secret (`RouteOptions`). */
  readonly compressible?: boolean;
}

/** The operators' calls by name. Metrics and logs show the name after `admin`. */
export const adminRoutes = {
  "get-self": { route: "GET /admin/self", action: "read-self" },
  "list-dead-letters": {
    route: "GET /admin/sessions/:id/dead-letters",
    action: "operate-session",
    workMs: webhookInternals["list-dead-letters"].deadlineMs,
  },
  "replay-dead-letters": {
    route: "POST /admin/sessions/:id/dead-letters/replay",
    action: "operate-session",
    workMs: webhookInternals["replay-dead-letters"].deadlineMs,
  },
  "retry-webhook": {
    route: "POST /admin/sessions/:id/webhook/retry",
    action: "operate-session",
    workMs: webhookInternals["retry-webhook"].deadlineMs,
  },
  "send-test-event": {
    route: "POST /admin/sessions/:id/webhook/test",
    action: "operate-session",
    workMs: webhookInternals["send-test-event"].deadlineMs,
  },
  "undelete-session": {
    route: "POST /admin/sessions/:id/undelete",
    action: "operate-session",
    workMs: sessionInternals["undelete-session"].deadlineMs,
  },
  "change-sessions": { route: "POST /admin/sessions/bulk", action: "operate-session", callsAtOnce: 4 },
  "list-sessions": { route: "GET /admin/sessions", action: "read-session", compressible: true },
  "get-session": { route: "GET /admin/sessions/:id", action: "read-session" },
  "delete-session": {
    route: "DELETE /admin/sessions/:id",
    action: "operate-session",
    workMs: sessionEndpoints["delete-session"].deadlineMs,
  },
  "restart-session": {
    route: "POST /admin/sessions/:id/restart",
    action: "operate-session",
    workMs: sessionInternals["restart-session"].deadlineMs,
  },
  "set-proxy": { route: "PUT /admin/sessions/:id/proxy", action: "operate-session", workMs: sessionInternals["set-proxy"].deadlineMs },
  "remove-proxy": {
    route: "DELETE /admin/sessions/:id/proxy",
    action: "operate-session",
    workMs: sessionInternals["set-proxy"].deadlineMs,
  },
  "move-session": { route: "POST /admin/sessions/:id/move", action: "operate-session" },
  "list-members": { route: "GET /admin/members", action: "read-members", compressible: true },
  "drain-member": { route: "POST /admin/members/:name/drain", action: "administer" },
  "undrain-member": { route: "POST /admin/members/:name/undrain", action: "administer" },
  "get-keyring": { route: "GET /admin/keyring", action: "administer" },
  "rotate-keyring": { route: "POST /admin/keyring/rotate", action: "administer" },
  "stream-events": { route: "GET /admin/events", action: "read-session", callsAtOnce: Infinity },
  "list-audit": { route: "GET /admin/audit", action: "read-session", compressible: true },
  "list-slots": { route: "GET /admin/slots", action: "read-members", compressible: true },
  "get-slot": { route: "GET /admin/slots/:slot", action: "read-members" },
  "pin-slot": { route: "PUT /admin/slots/:slot/pin", action: "administer" },
  "unpin-slot": { route: "DELETE /admin/slots/:slot/pin", action: "administer" },
  "list-tenants": { route: "GET /admin/tenants", action: "administer", compressible: true },
  "create-tenant": { route: "POST /admin/tenants", action: "administer" },
  "get-tenant": { route: "GET /admin/tenants/:name", action: "administer" },
  "change-tenant": { route: "PATCH /admin/tenants/:name", action: "administer" },
  "delete-tenant": { route: "DELETE /admin/tenants/:name", action: "administer" },
  "list-keys": { route: "GET /admin/keys", action: "administer", compressible: true },
  "create-key": { route: "POST /admin/keys", action: "administer" },
  "change-key": { route: "PATCH /admin/keys/:id", action: "administer" },
  "delete-key": { route: "DELETE /admin/keys/:id", action: "administer" },
} as const satisfies Readonly<Record<string, AdminRoute>>;

export type AdminName = keyof typeof adminRoutes;

/** The only operator call without a key: it creates one. */
export const signInRoute = "POST /admin/sign-in";
