import type { CallerHandler } from "../endpoint/caller-handler.js";
import type { CommandPort } from "../endpoint/endpoint.js";
import { createSession as create, type CreateSessionParts } from "../api/create-session.js";
import type { Principal } from "../tenant/principal.js";

/** POST /session. */
export function createSession(parts: CreateSessionParts, commands: CommandPort): CallerHandler<Principal> {
  return create(
    parts,
    "telegram",
    () => (id, given, signal, requestId) => commands.call("telegram", "create-session", id, given, { signal, requestId }),
  );
}
