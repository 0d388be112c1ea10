import type { SessionId } from "../../contract/ids.js";
import { keys } from "../../redis/keys.js";
import type { RedisClient } from "../../redis/connect.js";
import { dataKeyContext } from "../../session/data-key.js";
import { keyProxyContext } from "../../tenant/key-proxy.js";
import { tenantProxyContext } from "../../tenant/tenant-proxy.js";
import { webhookContext } from "../../session/webhook-settings.js";

/**
 * Session fields that are sealed with a key of the ring, and the context each is bound to. All
 * other fields are sealed with the session's data key.
 */
const fields = { dk: dataKeyContext, wh: webhookContext } as const;

/** A permanent text in Redis that is sealed with a key of `CRED_KEYS`. */
export interface SealedText {
  /** Key of the hash that holds the text: of a session, its copy in the trash, tenants, or API keys. */
  readonly record: string;
  readonly field: string;
  readonly sealed: string;
  readonly context: string;
}

/** Returns the sealed texts of these slots' sessions, the trash included. Those of tenants and API keys come with the first slot. */
export async function readSealedTexts(redis: RedisClient, slots: readonly number[]): Promise<SealedText[]> {
  const ofNoSession = slots.includes(0) ? await readProxies(redis) : [];
  const lists = await Promise.all(
    slots.flatMap((slot) => [
      redis.smembers(keys.slotSessions(slot)).then((ids) => ids.map((id) => stored(id as SessionId, (key) => key))),
      redis.zrange(keys.slotTrash(slot), "0", "-1").then((ids) => ids.map((id) => stored(id as SessionId, keys.trash))),
    ]),
  );
  const texts = await Promise.all(lists.flat().map((record) => readRecord(redis, record)));
  return [...ofNoSession, ...texts.flat()];
}

/** Hashes of proxies, and what each of them is bound to. */
const proxies = [
  { record: keys.tenantProxies, contextOf: tenantProxyContext },
  { record: keys.keyProxies, contextOf: keyProxyContext },
];

async function readProxies(redis: RedisClient): Promise<SealedText[]> {
  const lists = await Promise.all(
    proxies.map(async ({ record, contextOf }) =>
      Object.entries(await redis.hgetall(record)).map(([field, sealed]) => ({ record, field, sealed, context: contextOf(field) })),
    ),
  );
  return lists.flat();
}

interface StoredRecord {
  readonly id: SessionId;
  readonly key: string;
}

function stored(id: SessionId, place: (key: string) => string): StoredRecord {
  return { id, key: place(keys.session(id)) };
}

async function readRecord(redis: RedisClient, { id, key }: StoredRecord): Promise<SealedText[]> {
  const names = Object.keys(fields) as (keyof typeof fields)[];
  const values = await redis.hmget(key, ...names);
  return names.flatMap((field, index) => {
    const sealed = values[index];
    return sealed == null ? [] : [{ record: key, field, sealed, context: fields[field](id) }];
  });
}
