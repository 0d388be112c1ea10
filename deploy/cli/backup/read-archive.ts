import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { createGunzip } from "node:zlib";
import { CliError, exitCodes } from "../exit-code.js";
import {
  archiveForm,
  parseAnyHead,
  parseEnd,
  parseHead,
  parseKey,
  type ArchiveEnd,
  type ArchiveHead,
  type ArchivedKey,
} from "./archive-form.js";

/** Head and end of an archive, after every line was found intact. */
export interface CheckedArchive {
  readonly head: ArchiveHead;
  readonly end: ArchiveEnd;
}

/**
 * Reads the whole archive and compares it with its checksum and counts. Rejects with a sentence if they differ. Nothing is restored before
 * this check.
 */
export async function checkArchive(file: string): Promise<CheckedArchive> {
  const hash = createHash("sha256");
  let head: ArchiveHead | undefined;
  let end: ArchiveEnd | undefined;
  let keys = 0;
  for await (const line of linesOf(file)) {
    if (end !== undefined) throw damaged(file, "unexpected data after its end");
    if (head === undefined) head = headOf(file, line);
    else if ((end = endOf(line)) !== undefined) continue;
    else if (isParsed(() => parseKey(line))) keys += 1;
    else throw damaged(file, `line ${keys + 2} is not a valid entry`);
    hash.update(`${line}\n`);
  }
  if (head === undefined) throw damaged(file, "it is empty");
  if (end === undefined) throw damaged(file, "its end is missing");
  if (end.sha256 !== hash.digest("hex") || end.keys !== keys) throw damaged(file, "its checksum does not match");
  return { head, end };
}

/** Yields the keys of an archive that `checkArchive` accepted. */
export async function* keysIn(file: string): AsyncGenerator<ArchivedKey, void, undefined> {
  let first = true;
  for await (const line of linesOf(file)) {
    const key = first ? null : parseKey(line);
    first = false;
    if (key !== null) yield key;
  }
}

async function* linesOf(file: string): AsyncGenerator<string, void, undefined> {
  const source = createReadStream(file);
  const unpacked = createGunzip();
  source.once("error", (error) => unpacked.destroy(error));
  try {
    yield* createInterface({ input: source.pipe(unpacked), crlfDelay: Infinity });
    if (unpacked.errored) throw unpacked.errored;
  } catch (error) {
    if (error instanceof CliError) throw error;
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    if (code === "ENOENT") throw new CliError(`file not found: ${file}`, exitCodes.notFound, { cause: error });
    throw damaged(file, code === "Z_BUF_ERROR" ? "its end is missing" : `it cannot be unpacked (${code})`);
  } finally {
    source.destroy();
  }
}

function headOf(file: string, line: string): ArchiveHead {
  const any = valueOf(() => parseAnyHead(line));
  if (any == null) throw new CliError(`${file} is not a Trunkline backup`);
  if (any.form !== archiveForm)
    throw new CliError(
      `${file} uses format ${any.form}, written by version ${any.version}; this version reads format ${archiveForm}. Restore it with version ${any.version}`,
    );
  const head = valueOf(() => parseHead(line));
  if (head == null) throw damaged(file, "its first line is incomplete");
  return head;
}

function endOf(line: string): ArchiveEnd | undefined {
  return line.startsWith('{"end"') ? (valueOf(() => parseEnd(line)) ?? undefined) : undefined;
}

function isParsed(parse: () => unknown): boolean {
  return valueOf(parse) != null;
}

function valueOf<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined; // Not JSON.
  }
}

function damaged(file: string, why: string): CliError {
  return new CliError(`${file} is damaged: ${why}`);
}
