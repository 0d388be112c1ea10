import { Api } from "telegram";
import type { Ending } from "../../../shared/flow/ending.js";
import type { Client } from "../client.js";
import { errorName } from "../errors.js";
import { waitingOutFloods } from "../flood-wait.js";
import { mapBounded } from "../../flow/map-bounded.js";
import { ConnectionLost } from "../network/connection-error.js";
import { randomLong } from "../network/random-long.js";
import type { UploadSource } from "../../files/media/ports.js";

/**
 * Uploads a file for one later use, with three parts of 512 KiB in flight, so that memory does not grow with the file. GramJS's uploader
 * holds the whole file and cannot be aborted. Rejects with the signal's reason or the platform's error.
 */
export async function uploadFile(
  client: Client,
  source: UploadSource,
  name: string,
  signal: Ending,
  deadlineMs: number,
): Promise<Api.InputFile | Api.InputFileBig> {
  const deadlineAt = performance.now() + deadlineMs;
  const fileId = randomLong();
  const total = Math.max(1, Math.ceil(source.size / partBytes));
  const big = source.size > smallMaxBytes;
  await mapBounded([...Array(total).keys()], partsAtOnce, async (part) => {
    const bytes = await source.read(part * partBytes, partBytes);
    const request = big
      ? new Api.upload.SaveBigFilePart({ fileId, filePart: part, fileTotalParts: total, bytes })
      : new Api.upload.SaveFilePart({ fileId, filePart: part, bytes });
    await savePart(client, request, deadlineAt, signal);
  });
  return big
    ? new Api.InputFileBig({ id: fileId, parts: total, name })
    : new Api.InputFile({ id: fileId, parts: total, name, md5Checksum: "" });
}

/** Returns true when the platform no longer has a part of an upload that a message or story names. */
export function isPartMissing(error: unknown): boolean {
  return /^FILE_PART_\d+_MISSING$/.test(errorName(error) ?? "");
}

/** Returns bytes in memory as an upload source. */
export function bytesSource(bytes: Buffer): UploadSource {
  return { size: bytes.length, read: async (offset, length) => bytes.subarray(offset, offset + length) };
}

const partBytes = 512 * 1024;
/** Larger files need the other method. */
const smallMaxBytes = 10 * 1024 * 1024;
const partsAtOnce = 3;
/** The same part under the same id overwrites itself, so a part whose reply was lost is sent again. */
const triesMax = 3;

async function savePart(
  client: Client,
  request: Api.upload.SaveFilePart | Api.upload.SaveBigFilePart,
  deadlineAt: number,
  signal: Ending,
): Promise<void> {
  const save = (): Promise<boolean> =>
    client.media.use(client.homeDcId, signal, (sender) => sender.call(request, Math.max(1, deadlineAt - performance.now()), signal));
  for (let attempt = 1; ; attempt++) {
    try {
      await waitingOutFloods(save, { deadlineAt, signal });
      return;
    } catch (error) {
      if (!(error instanceof ConnectionLost) || !client.alive || attempt === triesMax) throw error;
    }
  }
}
