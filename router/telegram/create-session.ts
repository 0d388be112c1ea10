import type { CommandPort } from "../endpoint/endpoint.js";
import type { HttpHandler } from "../http/handler.js";
import { createSession as create } from "../session/create-session.js";

/** POST /session. The body is optional and without meaning here. */
export function createSession(commands: CommandPort): HttpHandler {
  return create((id, secretHash, _body, signal, requestId) =>
    commands.call("telegram", "create-session", id, { secretHash }, signal, requestId),
  );
}
