import type { CommandPort } from "../endpoint/endpoint.js";
import type { HttpHandler } from "../http/handler.js";
import { createSession as create, type CreateSessionParts } from "../session/create-session.js";

/** POST /session. */
export function createSession(parts: CreateSessionParts, commands: CommandPort): HttpHandler {
  return create(
    parts,
    "telegram",
    () => (id, given, signal, requestId) => commands.call("telegram", "create-session", id, given, signal, requestId),
  );
}
