import { randomUUID } from "node:crypto";
import { existsSync, linkSync, rmSync, writeFileSync } from "node:fs";

/** Writes a file atomically, readable by the process owner only. When several sandboxes start at once, all use the first one's file. */
export function writeOnce(path: string, content: string | Buffer): void {
  const draft = `${path}.${randomUUID()}.tmp`;
  writeFileSync(draft, content, { mode: 0o600 });
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!existsSync(path)) throw error;
  } finally {
    rmSync(draft);
  }
}
