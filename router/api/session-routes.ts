import typia from "typia";
import type { SessionReference } from "../../shared/contract/session.js";
import type { SessionLimits } from "../../shared/contract/limits.js";
import { parseLimits } from "./session-limits.js";
import { nothing } from "../endpoint/endpoint.js";

/** Routes in both platforms' tables: log out for a new login, and delete. */
export const sessionRoutes = {
  "reset-session": { route: "POST /session/reset", parse: nothing, reply: typia.json.createStringify<SessionReference>() },
  "delete-session": { route: "DELETE /session", parse: nothing, reply: typia.json.createStringify<SessionReference>() },
  "get-limits": { route: "GET /session/limits", parse: parseLimits, reply: typia.json.createStringify<SessionLimits>() },
} as const;

/** Endpoints of the router itself, on both platforms. */
export const ownRoutes = {
  "create-session": { route: "POST /session", keyed: true },
  "get-session": { route: "GET /session" },
} as const;
