import type { tags } from "typia";
import { ApiError } from "../../shared/contract/api-error.js";
import { isSessionId } from "../../shared/contract/ids.js";
import { mustBeInteger } from "../../shared/contract/rules.js";
import { sessionNotFound } from "../../shared/contract/errors.js";
import type { DeadLetterQuery } from "../../shared/contract/dead-letters.js";
import type { StoredSession } from "../session/session-reader.js";
import { requireActive, type SessionPort } from "../endpoint/authenticate.js";
import type { CommandPort, HttpInput } from "../endpoint/endpoint.js";
import { toHttpInput } from "../endpoint/http-input.js";
import { json } from "../http/response.js";
import { isOf } from "../tenant/judge.js";
import type { Principal } from "../tenant/principal.js";
import { actsOn, type AdminHandler } from "./admin-handler.js";
import { notNextOfPage } from "../errors.js";

/** `limit` and `after` of a page of dead letters. */
export interface DeadLetterPageForm {
  /** Rows of one page at most, 1 to 100. */
  limit?: number & tags.JsonSchemaPlugin<{ type: "integer"; minimum: 1; maximum: 100; default: 50 }>;
  /** `next` of the page before; absent or empty for the first. */
  after?: string;
}

const limitDefault = 50;
const limitMax = 100;

/** GET /admin/sessions/{id}/dead-letters: what no receiver of the session took, in the order in which it was given up. */
export function listDeadLetters(sessions: SessionPort, commands: CommandPort): AdminHandler {
  return async (request, signal, principal) => {
    const http = await toHttpInput(request);
    const session = await find(sessions, principal, http, signal);
    actsOn(request, principal, session);
    const query = parseQuery(http);
    await requireActive(sessions, session, signal);
    return json(200, JSON.stringify(await commands.call("telegram", "list-dead-letters", session.id, query, signal, request.requestId)));
  };
}

/** POST /admin/sessions/{id}/dead-letters/replay: all of them go out again, in their order, with their ids and bytes. */
export function replayDeadLetters(sessions: SessionPort, commands: CommandPort): AdminHandler {
  return async (request, signal, principal) => {
    const session = await find(sessions, principal, await toHttpInput(request), signal);
    actsOn(request, principal, session);
    await requireActive(sessions, session, signal);
    return json(200, JSON.stringify(await commands.call("telegram", "replay-dead-letters", session.id, {}, signal, request.requestId)));
  };
}

/** Variant A's sessions have no webhook: they are not found here. */
async function find(sessions: SessionPort, principal: Principal, { params }: HttpInput, signal: AbortSignal): Promise<StoredSession> {
  const id = params["id"] ?? "";
  const session = isSessionId(id)
    ? await sessions.read("telegram", id, (record) => record !== undefined && isOf(principal, record.tenant))
    : undefined;
  signal.throwIfAborted();
  if (session === undefined || session.state.kind === "deleted") throw sessionNotFound();
  return session;
}

function parseQuery({ query: { limit = String(limitDefault), after = "" } }: HttpInput): DeadLetterQuery {
  const count = typeof limit === "string" && /^\d{1,3}$/.test(limit) ? Number(limit) : 0;
  if (count < 1 || count > limitMax) throw new ApiError(400, mustBeInteger("limit", 1, limitMax));
  if (typeof after !== "string" || !/^(\d{1,19}-\d{1,19})?$/.test(after)) throw notNextOfPage();
  return { limit: count, after };
}
