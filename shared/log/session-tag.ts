import { createHash } from "node:crypto";

/**
 * Returns the first 8 hex digits of the SHA-256 of a session id, for logs, because the id itself
 * is part of public links. `printf %s <id> | sha256sum` gives the same.
 */
export function sessionTag(id: string): string {
  return createHash("sha256").update(id).digest("hex").slice(0, 8);
}
