import { serverBusy } from "../../shared/contract/errors.js";
import { FairShares } from "../../shared/flow/fair-shares.js";
import type { CallerHandler } from "../endpoint/caller-handler.js";
import { carriesBody } from "../endpoint/http-input.js";
import type { HttpRequest } from "../http/request.js";
import type { HttpAnswer } from "../http/response.js";
import type { StoredSession } from "../sessions/session-reader.js";
import type { Principal } from "../tenant/principal.js";

/** Answers a caller whose role may do this somewhere; whether also here is the handler's to judge. */
export type AdminHandler = CallerHandler<Principal>["handle"];

/**
 * A handler that runs so many times at once for admins, and as often for all tenants together, its answer's body included; further calls are 503. A tenant may hold half of
 * what is free of the tenants' places. A request takes its place once its body is in: whoever sends half of one holds nothing.
 */
export function atMost<Caller extends Principal | undefined>(
  most: number,
  handle: CallerHandler<Caller>["handle"],
): CallerHandler<Caller>["handle"] {
  const places = new CallPlaces(most);
  return async (request, signal, caller) => {
    if (carriesBody.has(request.method)) await request.body();
    const release = places.take(caller);
    let answer: HttpAnswer | undefined;
    try {
      answer = await handle(request, signal, caller);
    } finally {
      if (answer?.kind !== "open-ended") release();
    }
    return answer.kind === "open-ended" ? { ...answer, body: whenOver(answer.body, release) } : answer;
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

  /** 503 when the caller may have no more. A caller without a key shares with nobody who has one. */
  take(caller: Principal | undefined): () => void {
    if (caller === undefined || caller.role === "admin") {
      if (this.admins.total >= this.most) throw serverBusy();
      return this.admins.take("");
    }
    if (!this.tenants.hasShare(caller.tenant)) throw serverBusy();
    return this.tenants.take(caller.tenant);
  }
}

type Body = Extract<HttpAnswer, { kind: "open-ended" }>["body"];

/** The body, and word when nothing more will be asked of it. */
function whenOver(body: Body, tell: () => void): Body {
  let over = false;
  const end = (): void => {
    if (!over) tell();
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

/** The session's tenant reads of it in the audit, also where the caller belongs to no tenant. */
export function actsOn(
  request: HttpRequest,
  { keyId }: Principal,
  { id, tenant, incarnation }: Pick<StoredSession, "id" | "tenant" | "incarnation">,
): void {
  request.identified({ who: keyId, tenant, incarnation, session: id });
}
