import { createHash } from "node:crypto";

/** How a session is named in logs: the first 8 hex digits of its id's SHA-256, because the id is part of public links. `printf %s <id> | sha256sum` finds it. */
export function sessionTag(id: string): string {
  return createHash("sha256").update(id).digest("hex").slice(0, 8);
}
