import type { RedisClient } from "../../../shared/redis/connect.js";
import { CliError } from "../exit-code.js";
import type { ArchivedKey } from "./archive-form.js";

/** Limits for the keys in flight and for their bytes. */
const batchKeys = 500;
const batchBytes = 8 * 1024 * 1024;

/** Writes the keys into Redis with their values and lifetimes. Running it again gives the same result. */
export async function writeBack(
  redis: RedisClient,
  archived: AsyncIterable<ArchivedKey>,
  onBatch: (keys: number) => void,
): Promise<number> {
  let written = 0;
  let pending: Promise<unknown>[] = [];
  let pendingBytes = 0;
  const settle = async (): Promise<void> => {
    await Promise.all(pending);
    written += pending.length;
    [pending, pendingBytes] = [[], 0];
    onBatch(written);
  };
  for await (const { k, t, v } of archived) {
    pending.push(redis.restore(k, t, Buffer.from(v, "base64"), "REPLACE").catch((error: unknown) => refuse(error)));
    pendingBytes += v.length;
    if (pending.length >= batchKeys || pendingBytes >= batchBytes) await settle();
  }
  await settle();
  return written;
}

function refuse(error: unknown): never {
  if (error instanceof Error && /DUMP payload version|Bad data format/i.test(error.message))
    throw new CliError(
      "this Redis is older than the one of the backup and cannot read it: restore to the same version or a newer one",
      undefined,
      { cause: error },
    );
  throw error;
}
