import type { ApiKeys } from "../endpoint/api-keys.js";
import type { CommandPort } from "../endpoint/endpoint.js";
import type { HttpHandler } from "../http/handler.js";
import { createSession as create } from "../session/create-session.js";

/** POST /session. The body is optional and without meaning here. */
export function createSession(commands: CommandPort, apiKeys: ApiKeys): HttpHandler {
  return create(apiKeys, (id, secretHash, _body, signal) => commands.call("telegram", "create-session", id, { secretHash }, signal));
}
