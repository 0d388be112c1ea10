import { Api } from "telegram";
import bigInt from "big-integer";
import { FileMigrateError } from "telegram/errors/index.js";
import type { Ending } from "../../../shared/flow/ending.js";
import { chunkBytes, mediaWaitMs } from "../../../shared/limits.js";
import type { Client } from "../client.js";
import { waitingOutFloods } from "../flood-wait.js";
import { ConnectionLost } from "../network/connection-error.js";

/**
 * Reads one chunk of a file from its data centre, and returns the data centre that had it. Retries after faults of the platform; rejects
 * at once on a flood wait. Aligned chunks of 512 KiB satisfy all rules of `upload.getFile`.
 */
export async function readPart(
  client: Client,
  file: { dcId: number; location: Api.TypeInputFileLocation },
  chunk: number,
  signal: Ending,
): Promise<{ bytes: Buffer; dcId: number }> {
  const request = new Api.upload.GetFile({ location: file.location, offset: bigInt(chunk).multiply(chunkBytes), limit: chunkBytes });
  const deadlineAt = performance.now() + mediaWaitMs;
  let { dcId } = file;
  let dropped = false;
  for (let hop = 1; ; hop++) {
    try {
      const dc = dcId;
      const download = (): Promise<Api.upload.TypeFile> =>
        client.media.use(dc, signal, (sender) => sender.call(request, mediaWaitMs, signal));
      const part = await waitingOutFloods(download, { deadlineAt, signal, waitOutFloods: false });
      // The platform sends a redirect only to clients that request one.
      if (!(part instanceof Api.upload.File)) throw new Error("file part was answered by something else");
      return { bytes: part.bytes, dcId };
    } catch (error) {
      // If only the media connection is lost and the account's lives, the part is requested once more on a new one.
      if (error instanceof ConnectionLost && client.alive && !dropped && !signal.aborted) {
        dropped = true;
        continue;
      }
      if (!(error instanceof FileMigrateError) || hop === hopsMax) throw error;
      dcId = error.newDc;
    }
  }
}

const hopsMax = 3;
