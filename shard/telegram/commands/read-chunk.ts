import type { Ending } from "../../../shared/flow/ending.js";
import type { CommandCall } from "../../session/command.js";
import { mediaNotFound, mediaTimeout } from "../../../shared/contract/telegram/errors.js";
import type { MediaAddress, ReadChunkInput, ReadChunkOutput } from "../../../shared/contract/media.js";
import { chunkBytes } from "../../../shared/limits.js";
import { storeChunk } from "../../files/media/store-chunk.js";
import type { Client } from "../client.js";
import { errorName } from "../errors.js";
import { withMediaErrors } from "../media/media-errors.js";
import type { MediaFile } from "../media/media-file.js";
import { readPart } from "../media/read-part.js";
import type { TelegramConnector } from "../connector.js";

/** Brings one chunk into the chunk cache. The output holds only its length. */
export function readChunk(
  connector: TelegramConnector,
  { fileKey, etag, chunk, length, ...address }: ReadChunkInput,
  { signal }: CommandCall,
): Promise<ReadChunkOutput> {
  const client = connector.connected();
  const fetch = (fetchSignal: Ending): Promise<Buffer> =>
    withMediaErrors(() => fetchChunk(connector, client, address, { fileKey, etag }, chunk, fetchSignal));
  const request = { session: connector.id, fileKey, chunk, length, fetch, timeout: mediaTimeout };
  return storeChunk(connector.services, request, signal);
}

async function fetchChunk(
  connector: TelegramConnector,
  client: Client,
  address: MediaAddress,
  wanted: { fileKey: string; etag: string },
  chunk: number,
  signal: Ending,
): Promise<Buffer> {
  const cached = await connector.files.find(client, address, signal);
  // The message may have another file since the file was found.
  const file = matches(cached, wanted) ? cached : await connector.files.find(client, address, signal, true);
  if (!matches(file, wanted)) throw mediaNotFound();
  const offset = chunk * chunkBytes;
  const expected = Math.min(chunkBytes, file.description.size - offset);
  if (!Number.isInteger(chunk) || chunk < 0 || expected <= 0) throw mediaNotFound();
  const bytes =
    file.bytes?.subarray(offset, offset + expected) ?? (await readLocated(connector, client, address, wanted, file, chunk, signal));
  if (bytes.length !== expected) throw new Error(`chunk ${chunk} has ${bytes.length} bytes, ${expected} were expected`);
  return bytes;
}

/** A file reference lasts for hours at most. Fetching the message brings a new one. */
async function readLocated(
  connector: TelegramConnector,
  client: Client,
  address: MediaAddress,
  wanted: { fileKey: string; etag: string },
  file: MediaFile,
  chunk: number,
  signal: Ending,
): Promise<Buffer> {
  try {
    return await readFrom(client, file, chunk, signal);
  } catch (error) {
    if (errorName(error)?.startsWith("FILE_REFERENCE_") !== true) throw error;
    const fresh = await connector.files.find(client, address, signal, true);
    if (!matches(fresh, wanted)) throw mediaNotFound(error);
    return readFrom(client, fresh, chunk, signal);
  }
}

async function readFrom(client: Client, file: MediaFile, chunk: number, signal: Ending): Promise<Buffer> {
  const { location, dcId } = file;
  if (location === undefined) throw mediaNotFound();
  const part = await readPart(client, { dcId, location }, chunk, signal);
  file.dcId = part.dcId;
  return part.bytes;
}

function matches(file: MediaFile, wanted: { fileKey: string; etag: string }): boolean {
  return file.description.fileKey === wanted.fileKey && file.description.etag === wanted.etag;
}
