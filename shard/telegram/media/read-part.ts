import { Api } from "telegram";
import bigInt from "big-integer";
import { FileMigrateError } from "telegram/errors/index.js";
import { chunkBytes, mediaWaitMs } from "../../../shared/limits.js";
import type { Client } from "../client.js";
import { waitingOutFloods } from "../flood-wait.js";
import { ConnectionLost } from "../network/connection-error.js";

/**
 * One chunk of a file, straight from its data centre. Retries after the platform's own trouble; a flood wait arrives at once, and an abort forgets the request.
 * An aligned grid of 512 KiB satisfies all rules of `upload.getFile`. `dcId` is where the file turned out to be.
 */
export async function readPart(
  client: Client,
  file: { dcId: number; location: Api.TypeInputFileLocation },
  chunk: number,
  signal: AbortSignal,
): Promise<{ bytes: Buffer; dcId: number }> {
  const request = new Api.upload.GetFile({ location: file.location, offset: bigInt(chunk).multiply(chunkBytes), limit: chunkBytes });
  const deadlineAt = performance.now() + mediaWaitMs;
  let { dcId } = file;
  let dropped = false;
  for (let hop = 1; ; hop++) {
    try {
      const dc = dcId;
      const ask = (): Promise<Api.upload.TypeFile> => client.media.use(dc, signal, (sender) => sender.call(request, mediaWaitMs, signal));
      const part = await waitingOutFloods(ask, { deadlineAt, signal, patient: false });
      // The platform sends the other kind, a redirect, only to clients that ask for it.
      if (!(part instanceof Api.upload.File)) throw new Error("file part was answered by something else");
      return { bytes: part.bytes, dcId };
    } catch (error) {
      // The media connection is not the account's: while that one lives, the part is asked for once more over a new one.
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
