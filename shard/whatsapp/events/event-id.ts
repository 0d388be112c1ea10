import { createHash } from "node:crypto";

/**
 * Returns the id of an event: SHA-256 over its facts. A message that arrives again has the same chat, author and message id, so its event
 * has the same id.
 */
export function eventId(session: string, parts: readonly (string | number)[]): string {
  return createHash("sha256")
    .update(JSON.stringify([session, ...parts]))
    .digest("hex");
}
