import { timingSafeEqual } from "node:crypto";
import { ConfigError } from "../config/env.js";
import type { SessionId } from "../contract/ids.js";
import { sealingKey, type KeyRing } from "../crypto/key-ring.js";
import { slotCount } from "../limits.js";
import { keys } from "../redis/keys.js";
import type { RedisClient } from "../redis/connect.js";
import { dataKeyContext } from "./data-key.js";

/** The keys that were given cannot open the logins that are stored; `keyId` names the one that is missing, or is another. */
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
const batch = 512;
/** At most so many records are looked at: a key that is missing is missing for many of them. */
const recordsMax = 10_000;
/** Tries of one key. A record may have been altered; not this many. */
const triesMax = 16;

/**
 * Rejects with `KeysDoNotFit` when this ring is not the one that the stored logins were sealed with. Of each key Redis has a text sealed with it, the canary, from the
 * first start on, so that this costs one read. Where there is none yet, or one does not open, the records themselves decide: a key under which none is left may go.
 */
export async function checkKeys(redis: RedisClient, ring: KeyRing): Promise<void> {
  const canaries = await redis.hgetall(keys.canaries);
  const known = Object.keys(canaries);
  const doubtful = known.filter((id) => !opensCanary(ring, id, canaries[id] ?? ""));
  if (known.length === 0 || doubtful.length > 0) await judgeByRecords(redis, ring, known.length === 0 ? undefined : new Set(doubtful));
  if (doubtful.length > 0) await redis.hdel(keys.canaries, ...doubtful);
  for (const id of ring.ids) {
    await redis.hsetnx(keys.canaries, id, ring.seal(canary, canaryContext(id), id));
    // Another process, with other keys, may have been the first on an empty Redis.
    if (!opensCanary(ring, id, (await redis.hget(keys.canaries, id)) ?? "")) throw new KeysDoNotFit(id, true);
  }
}

/** The same for a process that is told its keys: a `ConfigError`, because starting it again would not help. */
export async function requireFittingKeys(redis: RedisClient, ring: KeyRing): Promise<void> {
  try {
    await checkKeys(redis, ring);
  } catch (error) {
    if (!(error instanceof KeysDoNotFit)) throw error;
    throw new ConfigError([
      `CRED_KEYS does not open the stored logins (${error.message}): restore the CRED_KEYS that they were stored with (deploy/.env of containers, secrets.json in DATA_DIR of npm start)`,
    ]);
  }
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

/** `ids`: the keys in question; all of them when absent. */
async function judgeByRecords(redis: RedisClient, ring: KeyRing, ids: ReadonlySet<string> | undefined): Promise<void> {
  const tries = new Map<string, { failed: number; opened: boolean }>();
  let looked = 0;
  for (let start = 0; start < slotCount && looked < recordsMax; start += batch) {
    const slots = Array.from({ length: Math.min(batch, slotCount - start) }, (_, i) => start + i);
    const sessions = (await Promise.all(slots.map((slot) => redis.smembers(keys.slotSessions(slot)))))
      .flat()
      .slice(0, recordsMax - looked) as SessionId[];
    const wrapped = await Promise.all(sessions.map((id) => redis.hget(keys.session(id), "dk")));
    looked += sessions.length;
    for (const [index, sealed] of wrapped.entries()) {
      const session = sessions[index];
      if (sealed === null || session === undefined) continue;
      const id = sealingKey(sealed);
      if (ids !== undefined && !ids.has(id)) continue;
      if (!ring.ids.includes(id)) throw new KeysDoNotFit(id, false);
      const of = tries.get(id) ?? { failed: 0, opened: false };
      if (of.opened || of.failed >= triesMax) continue;
      tries.set(id, opens(ring, sealed, session) ? { ...of, opened: true } : { ...of, failed: of.failed + 1 });
    }
  }
  for (const [id, { opened }] of tries) if (!opened) throw new KeysDoNotFit(id, true);
}

function opens(ring: KeyRing, sealed: string, session: SessionId): boolean {
  try {
    ring.open(sealed, dataKeyContext(session));
    return true;
  } catch {
    return false;
  }
}
