import type { Log } from "../../shared/log/logger.js";
import { commandRows } from "../../shared/contract/commands.js";
import type { SessionReader } from "../session/session-reader.js";
import type { SessionPort } from "../endpoint/authenticate.js";
import { authorize } from "../endpoint/authorize.js";
import type { CommandPort } from "../endpoint/endpoint.js";
import type { RoutePort } from "../endpoint/mount.js";
import { catching, refusing } from "../endpoint/serve.js";
import { splitRoute, type RoutePath } from "../http/handler.js";
import type { HttpMethod } from "../http/request.js";
import type { Action } from "../tenant/judge.js";
import type { DirectoryStore } from "../tenant/directory-store.js";
import type { KeyDirectory } from "../tenant/key-directory.js";
import type { KeyPort } from "../tenant/principal.js";
import type { PlacePort, SessionPlaces } from "../tenant/session-places.js";
import type { AdminHandler } from "./admin-handler.js";
import { listDeadLetters, replayDeadLetters } from "./dead-letters.js";
import { createKey, deleteKey, listKeys } from "./keys.js";
import { changeTenant, createTenant, deleteTenant, getTenant, listTenants } from "./tenants.js";
import { undeleteSession } from "./undelete-session.js";

export interface AdminApiParts {
  readonly app: RoutePort;
  readonly sessions: SessionPort & Pick<SessionReader, "readDeleted">;
  readonly commands: CommandPort;
  readonly directory: KeyPort & Pick<KeyDirectory, "refresh">;
  readonly store: DirectoryStore;
  readonly places: PlacePort & Pick<SessionPlaces, "tidy">;
  readonly log: Log;
}

/** Over the deadlines of the commands that it may send: the wait for an owner, and a slow client. */
const marginMs = 20_000;

/** Puts the operators' endpoints on the app: they stand beside the variants, and need a key whose role may do what they do. */
export function createAdminApi({ app, sessions, commands, directory, store, places, log }: AdminApiParts): void {
  const add = (
    route: `${HttpMethod} ${RoutePath}`,
    { name, action, workMs = 0 }: { name: string; action: Action; workMs?: number },
    handler: AdminHandler,
  ): void => {
    const [method, path] = splitRoute(route);
    const label = `admin ${name}`;
    const refusal = refusing((request) => authorize(directory, action, request), label, log);
    const known = catching(
      async (request, signal) => {
        const principal = authorize(directory, action, request);
        request.identified();
        return await handler(request, signal, principal);
      },
      label,
      log,
    );
    app.route(method, path, known, { name: label, refusal, deadlineMs: workMs + marginMs });
  };
  const command = (name: "list-dead-letters" | "replay-dead-letters" | "undelete-session"): Parameters<typeof add>[1] => ({
    name,
    action: "operate-session",
    workMs: commandRows.telegram[name].deadlineMs,
  });
  add("GET /admin/sessions/:id/dead-letters", command("list-dead-letters"), listDeadLetters(sessions, commands));
  add("POST /admin/sessions/:id/dead-letters/replay", command("replay-dead-letters"), replayDeadLetters(sessions, commands));
  add("POST /admin/sessions/:id/undelete", command("undelete-session"), undeleteSession(sessions, commands, places, log));
  const administer = (name: string): Parameters<typeof add>[1] => ({ name, action: "administer" });
  const parts = { store, directory, places, log };
  add("GET /admin/tenants", administer("list-tenants"), listTenants(parts));
  add("POST /admin/tenants", administer("create-tenant"), createTenant(parts));
  add("GET /admin/tenants/:name", administer("get-tenant"), getTenant(parts));
  add("PATCH /admin/tenants/:name", administer("change-tenant"), changeTenant(parts));
  add("DELETE /admin/tenants/:name", administer("delete-tenant"), deleteTenant(parts));
  add("GET /admin/keys", administer("list-keys"), listKeys(parts));
  add("POST /admin/keys", administer("create-key"), createKey(parts));
  add("DELETE /admin/keys/:id", administer("delete-key"), deleteKey(parts));
}
