import { randomUUID } from "node:crypto";
import { existsSync, linkSync, rmSync, writeFileSync } from "node:fs";

/** Whole or not at all: of sandboxes that start together on one folder, all have what the first wrote. For the owner of the process alone. */
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
