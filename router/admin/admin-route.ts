import { serverBusy } from "../../shared/contract/errors.js";
import type { HttpHandler, RoutePath } from "../http/handler.js";
import type { HttpMethod, HttpRequest } from "../http/request.js";
import type { HttpAnswer } from "../http/response.js";
import type { StoredSession } from "../session/session-reader.js";
import type { Action } from "../tenant/judge.js";
import type { Principal } from "../tenant/principal.js";

/** Answers a caller whose role may do this somewhere; whether also here is the handler's to judge. */
export type AdminHandler = (request: HttpRequest, signal: AbortSignal, principal: Principal) => Promise<HttpAnswer>;

/** One call of the operators' API. */
export interface AdminRoute {
  readonly route: `${HttpMethod} ${RoutePath}`;
  /** Its label in metrics and logs, behind `admin`. */
  readonly name: string;
  readonly action: Action;
  /** What its own waits add up to, ms; none without. */
  readonly workMs?: number;
  readonly handler: AdminHandler;
}

/** A handler that runs so many times at once; further calls are 503. Operators are few, and a loop of theirs is not to take what callers need. */
export function atMost(most: number, handler: HttpHandler): HttpHandler {
  let running = 0;
  return async (request, signal) => {
    if (running >= most) throw serverBusy();
    running += 1;
    try {
      return await handler(request, signal);
    } finally {
      running -= 1;
    }
  };
}

/** The session's tenant reads of it in the audit, also where the caller belongs to no tenant. */
export function actsOn(request: HttpRequest, { keyId }: Principal, { id, tenant }: Pick<StoredSession, "id" | "tenant">): void {
  request.identified({ who: keyId, tenant, session: id });
}
