import { serverBusy } from "../../shared/contract/errors.js";
import type { CallerHandler } from "../endpoint/caller-handler.js";
import type { HttpRequest } from "../http/request.js";
import type { HttpAnswer } from "../http/response.js";
import type { StoredSession } from "../session/session-reader.js";
import type { Principal } from "../tenant/principal.js";

/** Answers a caller whose role may do this somewhere; whether also here is the handler's to judge. */
export type AdminHandler = CallerHandler<Principal>["handle"];

/**
 * A handler that runs so many times at once, its answer's body included; further calls are 503. Operators are few, and a loop of theirs is not to take what
 * callers need.
 */
export function atMost<Caller>(most: number, handle: CallerHandler<Caller>["handle"]): CallerHandler<Caller>["handle"] {
  let running = 0;
  return async (request, signal, caller) => {
    if (running >= most) throw serverBusy();
    running += 1;
    let answer: HttpAnswer | undefined;
    try {
      answer = await handle(request, signal, caller);
    } finally {
      if (answer?.kind !== "open-ended") running -= 1;
    }
    return answer.kind === "open-ended" ? { ...answer, body: whenOver(answer.body, () => (running -= 1)) } : answer;
  };
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
