import type { CommandPort } from "../endpoint/endpoint.js";
import type { HttpHandler } from "../http/handler.js";
import { createSession as create, type CreateParts } from "../session/create-session.js";

/** POST /session. */
export function createSession(parts: CreateParts, commands: CommandPort): HttpHandler {
  return create(parts, () => (id, given, signal, requestId) => commands.call("telegram", "create-session", id, given, signal, requestId));
}
