import type { CommandPort } from "../endpoint/endpoint.js";
import type { HttpHandler } from "../http/handler.js";
import { createSession as create, type CreateSessionParts } from "../session/create-session.js";

/** POST /session. The body is optional and without meaning here. */
export function createSession(commands: CommandPort, parts: CreateSessionParts): HttpHandler {
  return create(
    {
      endpoint: "telegram create-session",
      parse: () => undefined,
      open: (id, secretHash, _input, signal) => commands.call("telegram", "create-session", id, { secretHash }, signal),
    },
    parts,
  );
}
