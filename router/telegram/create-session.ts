import type { CommandPort } from "../endpoint/endpoint.js";
import type { HttpHandler } from "../http/handler.js";
import { createSession as create } from "../session/create-session.js";
import type { KeyPort } from "../tenant/principal.js";

/** POST /session. */
export function createSession(keys: KeyPort, commands: CommandPort): HttpHandler {
  return create(keys, () => (id, given, signal, requestId) => commands.call("telegram", "create-session", id, given, signal, requestId));
}
