import { KeyRing } from "../../shared/config/key-ring.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { checkKeys, KeysDoNotFit } from "../../shared/cluster/keyring/key-check.js";
import { keepSecrets, secretsPath, type Secrets } from "./secrets.js";
import type { GivenSecrets } from "./settings.js";

/**
 * Checks the keys before any process starts and before new keys are written. Rejects with a sentence if the stored logins need other keys.
 */
export async function settleKeys(redis: RedisClient, dataDir: string, given: GivenSecrets, secrets: Secrets): Promise<void> {
  try {
    await checkKeys(redis, KeyRing.parse(secrets.credKeys));
  } catch (error) {
    if (error instanceof KeysDoNotFit) throw new Error(whatToRestore(error, secretsPath(dataDir), given, secrets), { cause: error });
    throw error;
  }
  keepSecrets(dataDir, secrets);
}

function whatToRestore({ message }: KeysDoNotFit, file: string, given: GivenSecrets, { made }: Secrets): string {
  if (given.credKeys !== undefined)
    return `CRED_KEYS does not open the stored logins (${message}): restore the value that they were stored with`;
  const how = "restore it from a backup, or give its credKeys as CRED_KEYS";
  if (made !== undefined)
    return `${file}, whose keys the logins in Redis are sealed with, is missing: ${how}; to start anew without those logins, remove DATA_DIR as a whole (or empty the Redis of REDIS_URL)`;
  return `${file} does not open the stored logins (${message}): ${how}`;
}
