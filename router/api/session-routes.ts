import typia from "typia";
import type { SessionReference } from "../../shared/contract/session.js";
import { nothing } from "../endpoint/endpoint.js";

/** The rows that stand in both platforms' tables: log out for a new login, and log out for good. */
export const sessionRoutes = {
  "reset-session": { route: "POST /session/reset", parse: nothing, reply: typia.json.createStringify<SessionReference>() },
  "delete-session": { route: "DELETE /session", parse: nothing, reply: typia.json.createStringify<SessionReference>() },
} as const;

/** What the router answers alone, on both platforms. */
export const ownRoutes = {
  "create-session": { route: "POST /session", keyed: true },
  "get-session": { route: "GET /session" },
} as const;
