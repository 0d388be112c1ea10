import { timingSafeEqual } from "node:crypto";
import { ConfigError } from "../../config/env.js";
import { sealingKey, type KeyRing } from "../../config/key-ring.js";
import { readSealedTexts } from "./sealed-texts.js";
import { readSealingKey, chooseSealingKey } from "./sealing-key.js";
import { slotCount } from "../../limits.js";
import { keys } from "../../redis/keys.js";
import type { RedisClient } from "../../redis/connect.js";

/** The given keys cannot open the stored logins; `keyId` names the key that is missing or differs. */
export class KeysDoNotFit extends Error {
  override readonly name = "KeysDoNotFit";

  constructor(
    readonly keyId: string,
    isThere: boolean,
  ) {
    super(`${isThere ? `its key "${keyId}" is another` : `it has no key "${keyId}"`} than the logins in this Redis are sealed with`);
  }
}

/** Slots whose sessions are read at once. */
const batch = 128;
/** Most texts of one key that may fail before the key counts as wrong: a few records may have been altered, but not this many. */
const triesMax = 16;

/**
 * Rejects with `KeysDoNotFit` if the ring cannot open the stored logins; otherwise selects the cluster's sealing key. Reads one canary text
 * per key. Without a canary, or if one fails, all records decide: a key that no record uses may be removed from the ring.
 */
export async function checkKeys(redis: RedisClient, ring: KeyRing): Promise<void> {
  const [canaries, sealing] = await Promise.all([redis.hgetall(keys.canaries), readSealingKey(redis)]);
  const keyIds = Object.keys(canaries);
  const doubtful = unopenedCanaries(ring, canaries);
  const strange = sealing !== undefined && !ring.ids.includes(sealing) ? sealing : undefined;
  if (keyIds.length === 0 || doubtful.length > 0 || strange !== undefined) {
    const found = await judgeByRecords(redis, ring, keyIds.length === 0 ? undefined : new Set(doubtful));
    // This process could not open what other processes write next.
    if (strange !== undefined && found > 0) throw new KeysDoNotFit(strange, false);
  }
  if (doubtful.length > 0) await redis.hdel(keys.canaries, ...doubtful);
  if (!(await chooseSealingKey(redis, ring, strange))) throw new KeysDoNotFit((await readSealingKey(redis)) ?? "", false);
  for (const id of ring.ids) {
    await redis.hsetnx(keys.canaries, id, ring.seal(canary, canaryContext(id), id));
    // Another process, with other keys, may have been the first on an empty Redis.
    if (!opensCanary(ring, id, (await redis.hget(keys.canaries, id)) ?? "")) throw new KeysDoNotFit(id, true);
  }
}

/** Does the same for keys from the settings, but rejects with a `ConfigError`, because a restart would not help. */
export async function requireFittingKeys(redis: RedisClient, ring: KeyRing): Promise<void> {
  try {
    await checkKeys(redis, ring);
  } catch (error) {
    if (!(error instanceof KeysDoNotFit)) throw error;
    throw new ConfigError([
      `CRED_KEYS does not open the stored logins (${error.message}): restore the CRED_KEYS that they were stored with (deploy/manifests/.env of containers, secrets.json in DATA_DIR of npm start)`,
    ]);
  }
}

/** Returns the ids of keys that the ring lacks, or has with another value, by the canaries in Redis. */
export function unopenedCanaries(ring: KeyRing, canaries: Readonly<Record<string, string>>): string[] {
  return Object.keys(canaries).filter((id) => !opensCanary(ring, id, canaries[id] ?? ""));
}

const canary = Buffer.from("trunkline");
const canaryContext = (id: string): string => `v1|canary|${id}`;

function opensCanary(ring: KeyRing, id: string, sealed: string): boolean {
  try {
    const opened = ring.open(sealed, canaryContext(id));
    return opened.length === canary.length && timingSafeEqual(opened, canary);
  } catch {
    return false;
  }
}

/**
 * Rejects with `KeysDoNotFit` if the ring lacks a key of `ids` (absent: every key) that records use, or cannot open them. Resolves with the
 * number of texts under any key.
 */
async function judgeByRecords(redis: RedisClient, ring: KeyRing, ids: ReadonlySet<string> | undefined): Promise<number> {
  const tries = new Map<string, { failed: number; opened: boolean }>();
  let found = 0;
  for (let start = 0; start < slotCount; start += batch) {
    const slots = Array.from({ length: Math.min(batch, slotCount - start) }, (_, i) => start + i);
    for (const { sealed, context } of await readSealedTexts(redis, slots)) {
      found += 1;
      const id = sealingKey(sealed);
      if (ids !== undefined && !ids.has(id)) continue;
      if (!ring.ids.includes(id)) throw new KeysDoNotFit(id, false);
      const of = tries.get(id) ?? { failed: 0, opened: false };
      if (of.opened || of.failed >= triesMax) continue;
      tries.set(id, opens(ring, sealed, context) ? { ...of, opened: true } : { ...of, failed: of.failed + 1 });
    }
  }
  for (const [id, { opened }] of tries) if (!opened) throw new KeysDoNotFit(id, true);
  return found;
}

function opens(ring: KeyRing, sealed: string, context: string): boolean {
  try {
    ring.open(sealed, context);
    return true;
  } catch {
    return false;
  }
}
