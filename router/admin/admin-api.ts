import type { Log } from "../../shared/log/logger.js";
import { commandRows } from "../../shared/contract/commands.js";
import type { SessionReader } from "../session/session-reader.js";
import type { ApiKeys } from "../endpoint/api-keys.js";
import type { SessionPort } from "../endpoint/authenticate.js";
import { authorize } from "../endpoint/authorize.js";
import type { CommandPort } from "../endpoint/endpoint.js";
import type { RoutePort } from "../endpoint/mount.js";
import { catching, refusing } from "../endpoint/serve.js";
import type { HttpHandler, RoutePath } from "../http/handler.js";
import type { HttpMethod } from "../http/request.js";
import { listDeadLetters, replayDeadLetters } from "./dead-letters.js";
import { undeleteSession } from "./undelete-session.js";

export interface AdminApiParts {
  readonly app: RoutePort;
  readonly sessions: SessionPort & Pick<SessionReader, "readDeleted">;
  readonly commands: CommandPort;
  readonly apiKeys: ApiKeys;
  readonly log: Log;
}

/** Over the command's own deadline: the wait for an owner, and a slow client. */
const marginMs = 20_000;

/** Puts the operators' endpoints on the app: they stand beside the variants, and need a key with the admin role. */
export function createAdminApi({ app, sessions, commands, apiKeys, log }: AdminApiParts): void {
  const add = (
    method: HttpMethod,
    path: RoutePath,
    command: "list-dead-letters" | "replay-dead-letters" | "undelete-session",
    handler: HttpHandler,
  ): void => {
    const known: HttpHandler = (request, signal) => {
      request.identified();
      return handler(request, signal);
    };
    const name = `admin ${command}`;
    const refusal = refusing((request) => authorize(apiKeys, "admin", request), name, log);
    app.route(method, path, catching(known, name, log), { name, refusal, deadlineMs: commandRows.telegram[command].deadlineMs + marginMs });
  };
  add("GET", "/admin/sessions/:id/dead-letters", "list-dead-letters", listDeadLetters(sessions, commands));
  add("POST", "/admin/sessions/:id/dead-letters/replay", "replay-dead-letters", replayDeadLetters(sessions, commands));
  add("POST", "/admin/sessions/:id/undelete", "undelete-session", undeleteSession(sessions, commands, log));
}
