import type { SessionId } from "../../../shared/contract/ids.js";
import { isTenantName, type TenantName } from "../../../shared/contract/tenant.js";
import { slotCount } from "../../../shared/limits.js";
import type { RedisClient } from "../../../shared/redis/connect.js";
import { keys } from "../../../shared/redis/keys.js";
import { bySlot } from "../../../shared/redis/topology.js";
import { CliError } from "../exit-code.js";
import { keysOfSession, keysOfTrash, once, perSlot, perTenant } from "./stored-keys.js";

/** One key in the `DUMP` format of Redis. */
export interface StoredKey {
  readonly key: string;
  /** Lifetime in ms; 0 means no expiry. */
  readonly lifetimeMs: number;
  readonly value: Buffer;
}

/** Keys that belong together, read at one moment. */
export interface StoredGroup {
  readonly sessions: number;
  readonly inTrash: number;
  readonly keys: readonly StoredKey[];
}

/** Slots read at once. */
const batch = 256;
/** Retries per slot. Sessions are normally not created and deleted faster than a slot is read. */
const triesMax = 10;

/**
 * Yields all stored keys in consistent groups: each slot with its sessions, and the settings. A slot is read in one transaction, and again
 * if a session was added or removed meanwhile. Groups are read at different times.
 */
export async function* snapshot(redis: RedisClient): AsyncGenerator<StoredGroup, void, undefined> {
  yield await settings(redis);
  for (let start = 0; start < slotCount; start += batch) {
    const slots = Array.from({ length: Math.min(batch, slotCount - start) }, (_, i) => start + i);
    const found = await Promise.all(slots.map((slot) => membersOf(redis, slot)));
    for (const [i, members] of found.entries()) {
      if (members.sessions.length + members.trash.length > 0) yield await slotAtOnce(redis, start + i, members);
    }
  }
}

/** Deletes everything that `snapshot` would yield. The cluster must be stopped. */
export async function removeStored(redis: RedisClient): Promise<void> {
  for await (const group of snapshot(redis)) await Promise.all(group.keys.map(({ key }) => redis.del(key)));
}

interface SlotMembers {
  readonly sessions: SessionId[];
  readonly trash: SessionId[];
}

async function membersOf(redis: RedisClient, slot: number): Promise<SlotMembers> {
  const [sessions, trash] = await Promise.all([
    redis.smembers(perSlot.slotSessions(slot)),
    redis.zrange(perSlot.slotTrash(slot), "0", "-1"),
  ]);
  return { sessions: sessions.sort() as SessionId[], trash: trash.sort() as SessionId[] };
}

async function slotAtOnce(redis: RedisClient, slot: number, first: SlotMembers): Promise<StoredGroup> {
  let before = first;
  for (let tries = 0; tries < triesMax; tries += 1) {
    const names = [
      ...Object.values(perSlot).map((key) => key(slot)),
      ...before.sessions.flatMap((id) => keysOfSession(id)),
      ...before.trash.flatMap((id) => keysOfTrash(id)),
      ...(await Promise.all(before.sessions.map((id) => indexedOf(redis, slot, id)))).flat(),
    ];
    const [stored, after] = await atOnce(redis, names, slot);
    if (JSON.stringify(after) === JSON.stringify(before))
      return { sessions: after.sessions.length, inTrash: after.trash.length, keys: stored.filter((one) => one !== undefined) };
    before = after;
  }
  throw new CliError(`sessions of slot ${slot} come and go faster than they can be read: try again`);
}

/** Returns the names of keys that only a session's indexes list. */
async function indexedOf(redis: RedisClient, slot: number, id: SessionId): Promise<string[]> {
  const [sent, results] = await Promise.all([
    redis.zrange(keys.sentIndex(id), "0", "-1"),
    redis.zrange(keys.idempotencyKeys(id), "0", "-1"),
  ]);
  return [...sent.map((message) => keys.sent(id, message)), ...results.filter((key) => key.startsWith(`result:{${slot}}:`))];
}

async function settings(redis: RedisClient): Promise<StoredGroup> {
  const tenants = (await redis.hkeys(keys.tenants)).filter((name): name is TenantName => isTenantName(name));
  const ofTenants = Object.values(perTenant).flatMap((key) => ["default", ...tenants].filter(isTenantName).map(key));
  const names = [...new Set([...Object.values(once), ...ofTenants])];
  // In a Redis Cluster these keys are on several nodes, which have no common point in time.
  const stored = await bySlot(redis, names, String, async (part) => (await atOnce(redis, part, undefined))[0]);
  return { sessions: 0, inTrash: 0, keys: stored.filter((one) => one !== undefined) };
}

/** Reads the keys in one transaction; `undefined` for missing keys. */
async function atOnce(
  redis: RedisClient,
  names: readonly string[],
  slot: number | undefined,
): Promise<[(StoredKey | undefined)[], SlotMembers]> {
  const transaction = redis.multi();
  for (const name of names) transaction.pttl(name).dumpBuffer(name);
  if (slot !== undefined) transaction.smembers(perSlot.slotSessions(slot)).zrange(perSlot.slotTrash(slot), "0", "-1");
  const replies = (await transaction.exec()) ?? [];
  for (const [error] of replies) if (error !== null) throw error;
  const values = replies.map(([, value]) => value);
  const stored = names.map((key, i): StoredKey | undefined => {
    const [lifetime, value] = [Number(values[2 * i]), values[2 * i + 1]];
    return Buffer.isBuffer(value) ? { key, lifetimeMs: Math.max(0, lifetime), value } : undefined;
  });
  const [sessions = [], trash = []] = slot === undefined ? [] : (values.slice(-2) as [SessionId[], SessionId[]]);
  return [stored, { sessions: [...sessions].sort(), trash: [...trash].sort() }];
}
