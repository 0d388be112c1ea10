import type { Ending } from "../../shared/flow/ending.js";
import { ApiError } from "../../shared/contract/api-error.js";
import { internal } from "../../shared/contract/errors.js";
import { isSessionId } from "../../shared/contract/ids.js";
import { mustBeDatabaseIds, mustBeOneOf, shouldNotBeEmpty } from "../../shared/contract/rules.js";
import { readJson } from "../endpoint/json-body.js";
import type { Identity } from "../http/identity.js";
import type { HttpMethod, HttpRequest } from "../http/request.js";
import type { Principal } from "../tenant/principal.js";
import { faultsOfUnknown } from "./admin-input.js";
import type { AdminHandler } from "./admin-handler.js";
import { ndjson } from "./ndjson.js";
import { deleteSession, moveSession, restartSession, type SessionsParts } from "./sessions.js";
import { invalidApiKey } from "../http/errors.js";

const actions = ["restart", "move", "delete", "undelete"] as const;
type BulkAction = (typeof actions)[number];

/** An action for many sessions. */
export interface BulkForm {
  /** Action for each session. */
  action: BulkAction;
  /** 1 to 1,000 session ids. Duplicates count once. */
  ids: string[];
  /** Destination shard. Only for `move`. */
  member?: string;
}

export interface BulkCall {
  readonly action: BulkAction;
  /** Without duplicates. */
  readonly ids: readonly string[];
  /** Body for each single call. */
  readonly body: object;
}

/** Result for one session. */
export type BulkResult = BulkSuccess | BulkFailure;

interface LineHead {
  /** Id of the session. */
  readonly id: string;
  /** HTTP status of the single call. */
  readonly status: number;
}

/** Success for one session. */
interface BulkSuccess extends LineHead {
  /** Response of the single call. */
  readonly outcome: unknown;
}

/** Error for one session. */
interface BulkFailure extends LineHead {
  /** Error message of the single call. */
  readonly message: string;
}

const idsMax = 1_000;
/** Sessions of one bulk call in progress, a share of the router's places. */
const sessionsAtOnce = 8;

/**
 * POST /admin/sessions/bulk: runs the single call's handler for each session and sends a line when it is done. Starts no more once the
 * client has left or its key was revoked.
 */
export function changeSessions(parts: SessionsParts & { readonly undelete: AdminHandler }): AdminHandler {
  const handlers: Readonly<Record<BulkAction, readonly [name: string, HttpMethod, AdminHandler]>> = {
    restart: ["restart-session", "POST", restartSession(parts)],
    move: ["move-session", "POST", moveSession(parts)],
    delete: ["delete-session", "DELETE", deleteSession(parts)],
    undelete: ["undelete-session", "POST", parts.undelete],
  };
  return async (request, signal, principal) => {
    const { action, ids, body } = parseBulk(await readJson(request));
    const [name, method, handler] = handlers[action];
    const bytes = Buffer.from(JSON.stringify(body));
    const one = async (id: string): Promise<BulkResult> => {
      let identity: Identity | undefined;
      const identified = (given?: Identity): void => {
        identity = given;
      };
      const own: HttpRequest = { ...request, method, query: "", params: { id }, identified, body: () => Promise.resolve(bytes) };
      const line = await lineOf(
        id,
        () => handler(own, signal, principal),
        (error) => {
          if (!signal.aborted)
            parts.log.error({ err: error, action: name, requestId: request.requestId }, "unexpected error in bulk action");
        },
      );
      if (identity !== undefined) request.auditAlso(name, identity, line.status);
      return line;
    };
    return ndjson(
      linesOf(ids, one, () => mayGoOn(parts, principal, signal)),
      request,
      parts.log,
    );
  };
}

/** Reports all faults at once. Pure. */
export function parseBulk(given: object): BulkCall {
  const { action, ids, member }: { action?: unknown; ids?: unknown; member?: unknown } = given;
  const found = actions.find((name) => name === action);
  const isList =
    Array.isArray(ids) && ids.length >= 1 && ids.length <= idsMax && ids.every((id) => typeof id === "string" && isSessionId(id));
  const faults = [
    ...faultsOfUnknown(given, found === "move" ? ["action", "ids", "member"] : ["action", "ids"]),
    ...(found === undefined ? [mustBeOneOf("action", actions)] : []),
    ...(isList ? [] : [mustBeDatabaseIds("ids", idsMax)]),
    ...(found === "move" && (typeof member !== "string" || member === "") ? [shouldNotBeEmpty("member")] : []),
  ];
  if (faults.length > 0 || found === undefined || !isList) throw new ApiError(400, faults.join("\n"));
  return { action: found, ids: [...new Set(ids as string[])], body: found === "move" ? { member } : {} };
}

function mayGoOn({ stands }: SessionsParts, principal: Principal, signal: Ending): boolean {
  if (!stands(principal)) throw invalidApiKey();
  return !signal.aborted;
}

/** Yields lines as the calls finish. Starts no call while the client reads nothing. */
async function* linesOf(
  ids: readonly string[],
  one: (id: string) => Promise<BulkResult>,
  mayGoOn: () => boolean,
): AsyncGenerator<readonly BulkResult[], void, undefined> {
  const waiting = ids.values();
  const running = new Map<string, Promise<BulkResult>>();
  for (;;) {
    while (running.size < sessionsAtOnce && mayGoOn()) {
      const next = waiting.next();
      if (next.done === true) break;
      running.set(next.value, one(next.value));
    }
    if (running.size === 0) return;
    const line = await Promise.race(running.values());
    running.delete(line.id);
    yield [line];
  }
}

/** Never rejects. An unexpected error goes to `onFailure`. */
async function lineOf(id: string, call: () => ReturnType<AdminHandler>, onFailure: (error: unknown) => void): Promise<BulkResult> {
  try {
    const response = await call();
    return { id, status: response.status, outcome: response.kind === "json" ? JSON.parse(response.text) : null };
  } catch (error) {
    if (!(error instanceof ApiError)) onFailure(error);
    const { status, message } = error instanceof ApiError ? error : internal();
    return { id, status, message };
  }
}
