import { atMost, type AdminHandler } from "../admin/admin-handler.js";
import { authorize } from "../endpoint/authorize.js";
import type { RoutePort } from "../endpoint/mount.js";
import { catching, refusing, type CatchParts } from "../endpoint/serve.js";
import type { RoutePath } from "../http/handler.js";
import type { HttpMethod, HttpRequest } from "../http/request.js";
import type { Action } from "../tenant/judge.js";
import type { KeyPort, Principal } from "../tenant/principal.js";

export type CallParts = CatchParts & { readonly keys: KeyPort };

/** A call that only the console makes. It is not part of the documented API. */
export interface ConsoleCall {
  readonly method: Extract<HttpMethod, "GET" | "POST">;
  readonly path: RoutePath;
  readonly name: string;
  readonly action: Action;
  readonly deadlineMs: number;
  readonly handle: AdminHandler;
}

const callsAtOnce = 16;

/** Mounts a call of the console for the roles that allow its action. */
export function mountCall(app: RoutePort, { method, path, name, action, deadlineMs, handle }: ConsoleCall, parts: CallParts): void {
  const check = (request: Pick<HttpRequest, "headers" | "address">): unknown => authorize(parts.keys, action, request);
  const authenticate = (request: HttpRequest): Principal => {
    const principal = authorize(parts.keys, action, request);
    request.identified({ who: principal.keyId, tenant: "" });
    return principal;
  };
  const known = { authenticate, handle: atMost<Principal>(callsAtOnce, handle) };
  app.route(method, path, catching(known, name, parts), { name, refusal: refusing(check, parts), deadlineMs });
}
