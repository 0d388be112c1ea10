import { KeyRing, sealingKey } from "../../../shared/config/key-ring.js";
import { readSealedTexts } from "../../../shared/cluster/keyring/sealed-texts.js";
import { slotCount } from "../../../shared/limits.js";
import type { RedisClient } from "../../../shared/redis/connect.js";
import { keys } from "../../../shared/redis/keys.js";
import { unopenedCanaries } from "../../../shared/cluster/keyring/key-check.js";
import { fingerprintsOf } from "../backup/key-fingerprints.js";
import type { Finding } from "./finding.js";
import { judgeKeys } from "./judge-keys.js";

const batch = 256;

/** Checks whether the keys at hand open the stored logins. Only reads; a start runs the same check and then writes. */
export async function examineKeys(
  redis: RedisClient | undefined,
  found: { from: string; text: string } | undefined,
  hasData: boolean,
): Promise<Finding> {
  const { ring, broken } = parse(found);
  const sealed = redis === undefined ? new Map<string, number>() : await countSealed(redis);
  const canaries = redis === undefined ? {} : await redis.hgetall(keys.canaries);
  const strange =
    ring === undefined ? [] : [...unopenedCanaries(ring, canaries), ...[...sealed.keys()].filter((id) => !ring.ids.includes(id))];
  return judgeKeys({
    from: found?.from,
    broken,
    lost: redis === undefined ? undefined : Object.fromEntries(strange.map((id) => [id, sealed.get(id) ?? 0])),
    sealed: [...sealed.values()].reduce((sum, count) => sum + count, 0),
    fingerprints: ring === undefined ? [] : Object.entries(fingerprintsOf(ring)).map(([id, digest]) => `${id} ${digest}`),
    hasData,
  });
}

function parse(found: { from: string; text: string } | undefined): { ring?: KeyRing; broken?: string } {
  if (found === undefined) return {};
  try {
    return { ring: KeyRing.parse(found.text) };
  } catch (error) {
    return { broken: `${found.from} ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Counts the stored texts by the key that seals them. */
async function countSealed(redis: RedisClient): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (let start = 0; start < slotCount; start += batch) {
    const slots = Array.from({ length: Math.min(batch, slotCount - start) }, (_, i) => start + i);
    for (const { sealed } of await readSealedTexts(redis, slots)) {
      const id = sealingKey(sealed);
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
  }
  return counts;
}
