import { serverBusy } from "../../shared/contract/errors.js";
import { FairShares } from "../../shared/flow/fair-shares.js";
import type { CallerHandler } from "../endpoint/caller-handler.js";
import { carriesBody } from "../endpoint/http-input.js";
import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import type { StoredSession } from "../sessions/session-reader.js";
import type { Principal } from "../tenant/principal.js";

/** Handles a caller whose role allows the action somewhere. The handler itself checks whether it is allowed here. */
export type AdminHandler = CallerHandler<Principal>["handle"];

/**
 * Limits a handler to `most` runs at once for admins and as many for all tenants together; further calls get 503. A tenant may hold half
 * of the free places. A request takes its place after its body has arrived.
 */
export function atMost<Caller extends Principal | undefined>(
  most: number,
  handle: CallerHandler<Caller>["handle"],
): CallerHandler<Caller>["handle"] {
  const places = new CallPlaces(most);
  return async (request, signal, caller) => {
    if (carriesBody.has(request.method)) await request.body();
    const release = places.take(caller);
    let response: HttpResponse | undefined;
    try {
      response = await handle(request, signal, caller);
    } finally {
      if (response?.kind !== "open-ended") release();
    }
    return response.kind === "open-ended" ? { ...response, body: whenOver(response.body, release) } : response;
  };
}

/** The places of one call at one router. */
class CallPlaces {
  private readonly admins: FairShares;
  private readonly tenants: FairShares;

  constructor(private readonly most: number) {
    this.admins = new FairShares(() => most);
    this.tenants = new FairShares(() => most);
  }

  /** Takes a place; throws 503 if the caller may have no more. A caller without a key counts with the admins. */
  take(caller: Principal | undefined): () => void {
    if (caller === undefined || caller.role === "admin") {
      if (this.admins.total >= this.most) throw serverBusy();
      return this.admins.take("");
    }
    if (!this.tenants.hasShare(caller.tenant)) throw serverBusy();
    return this.tenants.take(caller.tenant);
  }
}

type Body = Extract<HttpResponse, { kind: "open-ended" }>["body"];

/** Returns the body, and calls `onEnd` once it has ended. */
function whenOver(body: Body, onEnd: () => void): Body {
  let over = false;
  const end = (): void => {
    if (!over) onEnd();
    over = true;
  };
  return {
    next: async () => {
      try {
        const next = await body.next();
        if (next.done === true) end();
        return next;
      } catch (error) {
        end();
        throw error;
      }
    },
    return: async () => {
      end();
      return (await body.return?.()) ?? { done: true, value: undefined };
    },
  };
}

/** Records the session's tenant in the audit, even if the caller belongs to no tenant. */
export function actsOn(
  request: HttpRequest,
  { keyId }: Principal,
  { id, tenant, incarnation }: Pick<StoredSession, "id" | "tenant" | "incarnation">,
): void {
  request.identified({ who: keyId, tenant, incarnation, session: id });
}
