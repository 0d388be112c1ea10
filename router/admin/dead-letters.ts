import type { tags } from "typia";
import { ApiError } from "../../shared/contract/api-error.js";
import { mustBeInteger } from "../../shared/contract/rules.js";
import type { DeadLetterQuery } from "../../shared/contract/dead-letters.js";
import { requireActive } from "../endpoint/authenticate.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { toHttpInput } from "../endpoint/http-input.js";
import { json } from "../http/response.js";
import { actsOn, type AdminHandler } from "./admin-handler.js";
import { notNextOfPage } from "../http/errors.js";
import { findSession, type SessionsParts } from "./sessions.js";

/** `limit` and `after` of a page of dead letters. */
export interface DeadLetterPageForm {
  /** Most rows per page, 1 to 100. */
  limit?: number & tags.JsonSchemaPlugin<{ type: "integer"; minimum: 1; maximum: 100; default: 50 }>;
  /** `next` of the previous page. Absent or empty for the first page. */
  after?: string;
}

const limitDefault = 50;
const limitMax = 100;

/** GET /admin/sessions/{id}/dead-letters: events that the receiver did not accept, in the order in which the retries ended. */
export function listDeadLetters(parts: SessionsParts): AdminHandler {
  return async (request, signal, principal) => {
    const http = await toHttpInput(request);
    const session = await findSession(parts, principal, http, signal);
    actsOn(request, principal, session);
    const query = parseQuery(http);
    await requireActive(parts.sessions, session, signal);
    return json(
      200,
      JSON.stringify(
        await parts.commands.call(session.platform, "list-dead-letters", session.id, query, { signal, requestId: request.requestId }),
      ),
    );
  };
}

/** Handles the webhook calls without a body: replay dead letters, retry waiting events now, or queue a test event. */
export function onWebhook(parts: SessionsParts, command: "replay-dead-letters" | "retry-webhook" | "send-test-event"): AdminHandler {
  return async (request, signal, principal) => {
    const session = await findSession(parts, principal, await toHttpInput(request), signal);
    actsOn(request, principal, session);
    await requireActive(parts.sessions, session, signal);
    return json(
      200,
      JSON.stringify(await parts.commands.call(session.platform, command, session.id, {}, { signal, requestId: request.requestId })),
    );
  };
}

function parseQuery({ query: { limit = String(limitDefault), after = "" } }: HttpInput): DeadLetterQuery {
  const count = typeof limit === "string" && /^\d{1,3}$/.test(limit) ? Number(limit) : 0;
  if (count < 1 || count > limitMax) throw new ApiError(400, mustBeInteger("limit", 1, limitMax));
  if (typeof after !== "string" || !/^(\d{1,19}-\d{1,19})?$/.test(after)) throw notNextOfPage();
  return { limit: count, after };
}
