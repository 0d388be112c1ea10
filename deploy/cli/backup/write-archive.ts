import { createHash, type Hash } from "node:crypto";
import { once } from "node:events";
import { createWriteStream, renameSync, rmSync } from "node:fs";
import { finished } from "node:stream/promises";
import { createGzip, type Gzip } from "node:zlib";
import type { ArchiveEnd, ArchiveHead, ArchivedKey } from "./archive-form.js";
import type { StoredGroup } from "./snapshot.js";

/** Writes the archive, gzipped lines of JSON, either completely or not at all. Only its owner can read the file. */
export async function writeArchive(
  file: string,
  head: ArchiveHead,
  groups: AsyncIterable<StoredGroup>,
  onGroup: (sessions: number) => void,
): Promise<ArchiveEnd> {
  const part = `${file}.part`;
  const out = createWriteStream(part, { mode: 0o600, flush: true });
  const packed = createGzip();
  const written = finished(packed.pipe(out));
  // The promise is awaited at the end; until then a failure only stops the writer.
  written.catch((error: unknown) => packed.destroy(error instanceof Error ? error : new Error(String(error))));
  try {
    const end = await writeLines(packed, head, groups, onGroup);
    await written;
    renameSync(part, file);
    return end;
  } catch (error) {
    packed.destroy();
    rmSync(part, { force: true });
    throw error;
  }
}

async function writeLines(
  packed: Gzip,
  head: ArchiveHead,
  groups: AsyncIterable<StoredGroup>,
  onGroup: (sessions: number) => void,
): Promise<ArchiveEnd> {
  const hash = createHash("sha256");
  const counts = { keys: 0, sessions: 0, inTrash: 0 };
  await write(packed, hash, head);
  for await (const { sessions, inTrash, keys } of groups) {
    counts.sessions += sessions;
    counts.inTrash += inTrash;
    counts.keys += keys.length;
    for (const { key, lifetimeMs, value } of keys)
      await write(packed, hash, { k: key, t: lifetimeMs, v: value.toString("base64") } satisfies ArchivedKey);
    onGroup(counts.sessions);
  }
  const end: ArchiveEnd = { end: true, ...counts, sha256: hash.digest("hex") };
  packed.end(`${JSON.stringify(end)}\n`);
  return end;
}

async function write(packed: Gzip, hash: Hash, line: ArchiveHead | ArchivedKey): Promise<void> {
  const text = `${JSON.stringify(line)}\n`;
  hash.update(text);
  if (!packed.write(text)) await once(packed, "drain");
}
