import { ApiError } from "../../shared/contract/api-error.js";
import { isSessionId } from "../../shared/contract/ids.js";
import { sessionNotDeleted, sessionNotFound } from "../../shared/contract/errors.js";
import { platforms } from "../../shared/contract/platform.js";
import type { SessionReader } from "../sessions/session-reader.js";
import type { CommandPort } from "../endpoint/endpoint.js";
import { toHttpInput } from "../endpoint/http-input.js";
import { json } from "../http/response.js";
import { isOf } from "../tenant/judge.js";
import type { PlacePort } from "../tenant/session-places.js";
import { actsOn, type AdminHandler } from "./admin-handler.js";

/**
 * POST /admin/sessions/{id}/undelete: restores a session that a timer deleted within 24 hours, with its login, webhook and queue. 404 if
 * it is not in the trash (for example deleted by its owner), 409 if it exists.
 */
export function undeleteSession(
  sessions: Pick<SessionReader, "read" | "readDeleted">,
  commands: CommandPort,
  places: PlacePort,
): AdminHandler {
  return async (request, signal, principal) => {
    const { params } = await toHttpInput(request);
    const id = params["id"] ?? "";
    if (!isSessionId(id)) throw sessionNotFound();
    const [deleted, ...living] = await Promise.all([sessions.readDeleted(id), ...platforms.map((platform) => sessions.read(platform, id))]);
    signal.throwIfAborted();
    if (living.some((session) => session !== undefined && isOf(principal, session))) throw sessionNotDeleted();
    if (deleted === undefined || !isOf(principal, deleted)) throw sessionNotFound();
    const { platform, tenant, incarnation } = deleted;
    actsOn(request, principal, { id, tenant, incarnation });
    if (!(await places.reserve(deleted, id))) throw sessionNotFound();
    const reference = await commands
      .call(platform, "undelete-session", id, {}, { signal, requestId: request.requestId })
      .catch(async (error: unknown) => {
        // The session has left the trash meanwhile, or its 24 hours are over.
        if (error instanceof ApiError && error.status === 404) await places.release(tenant, id);
        throw error;
      });
    return json(200, JSON.stringify(reference));
  };
}
