import type { KeyRing } from "../config/key-ring.js";
import type { Log } from "../log/logger.js";
import { requireRightServers } from "../redis/check-servers.js";
import type { RedisSettings } from "../redis/settings.js";
import type { RedisClient } from "../redis/connect.js";
import { requireSupportedSchema } from "./schema/schema-record.js";
import { requireFittingKeys } from "./keyring/key-check.js";
import { requireClusterKeys, type ClusterKeys } from "./cluster-keys.js";

export interface FitOptions {
  readonly writer: RedisClient;
  readonly cache: RedisClient;
  readonly addresses: RedisSettings;
  readonly ring: KeyRing;
  readonly own: ClusterKeys;
  readonly log: Log;
}

/**
 * Checks at start that both Redis servers are configured as required and that this process fits
 * the stored data. Resolves with the written schema; rejects with what the operator must do.
 */
export async function requireFit({ writer, cache, addresses, ring, own, log }: FitOptions): Promise<number> {
  await requireRightServers(
    [
      { server: "coordination", address: addresses.coordination, redis: writer },
      { server: "cache", address: addresses.cache, redis: cache },
    ],
    log,
  );
  const written = await requireSupportedSchema(writer);
  await requireFittingKeys(writer, ring);
  await requireClusterKeys(writer, own);
  return written;
}
