import { mediaNotFound } from "../../../shared/contract/whatsapp/errors.js";
import type { FileFacts } from "../../../shared/media/file-facts.js";
import type { Client } from "../client.js";
import { type CheckPart, FileMismatch, openChunk, openWhole, storedRange, wholeRange } from "./file-cipher.js";
import { retrying } from "../network/transient.js";
import { HostRefused } from "./host-refused.js";
import { HostsUnreachable, readStored } from "./read-stored.js";
import type { GoneFile, Reuploads } from "./reuploads.js";
import type { WholeChecks } from "./whole-checks.js";

export interface FileSource {
  readonly client: Pick<Client, "mediaHosts" | "rangeAgent" | "sock">;
  readonly reuploads: Reuploads;
  readonly wholeChecks: WholeChecks;
}

/**
 * Reads one chunk of a received file. If the media hosts no longer have the file, the account's phone uploads it again. Rejects with
 * `media not found` if neither has it, and with `FileMismatch` if the bytes are not those of the message.
 */
export async function fetchChunk(source: FileSource, file: GoneFile, chunk: number, signal: AbortSignal): Promise<Buffer> {
  const { client, reuploads, wholeChecks } = source;
  const { facts, fileKey } = file;
  const checkPart: CheckPart = (macKey, part) => wholeChecks.add(fileKey, macKey, part);
  const directPath = reuploads.known(fileKey) ?? facts.directPath;
  try {
    return await readChunk(client, { ...facts, directPath }, chunk, checkPart, signal);
  } catch (error) {
    if (!(error instanceof HostRefused && error.isGone)) throw error;
    const path = await reuploads.request(client, file, directPath, signal);
    if (path === undefined) throw mediaNotFound(error);
    return readChunk(client, { ...facts, directPath: path }, chunk, checkPart, signal);
  }
}

/** A file of unknown length has one chunk: a thumbnail, or it is too large to be one. */
async function readChunk(
  client: FileSource["client"],
  facts: FileFacts,
  chunk: number,
  checkPart: CheckPart,
  signal: AbortSignal,
): Promise<Buffer> {
  const range = facts.length > 0 ? storedRange(facts, chunk) : wholeRange(facts);
  if (range === undefined || (facts.length === 0 && chunk !== 0)) throw new FileMismatch("chunk is past the end of the file");
  const stored = await retrying(() => readStored(client, facts, range, signal), isMomentary, signal);
  return facts.length > 0 ? openChunk(facts, chunk, stored, checkPart) : openWhole(facts, stored);
}

function isMomentary(error: unknown): boolean {
  return error instanceof HostsUnreachable || (error instanceof HostRefused && error.isMomentary && error.status !== 429);
}
