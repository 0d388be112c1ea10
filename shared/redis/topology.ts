import { Cluster, Command, Redis } from "ioredis";
import type { HostPort } from "./address.js";
import type { RedisClient } from "./connect.js";

/** Returns each server that accepts writes: one, or the known masters of a cluster. */
export function mastersOf(redis: RedisClient): readonly RedisClient[] {
  return redis instanceof Cluster ? redis.nodes("master") : [redis];
}

/** Returns the server that has this key, as far as known now. */
export function masterOf(redis: RedisClient, key: string): RedisClient | undefined {
  if (!(redis instanceof Cluster)) return redis;
  const name = redis.slots[hashSlotOf(key)]?.[0];
  return redis.nodes("master").find((node) => nameOf(serverOf(node)) === name);
}

/** Returns the address of a cluster's node; undefined if the connection does not know it. */
export function serverOf(master: RedisClient): HostPort | undefined {
  if (!(master instanceof Redis)) return undefined;
  const { host, port } = master.options;
  return host === undefined || port === undefined ? undefined : { host, port };
}

/** Returns whether keys are spread over several servers, so that one command cannot read them all. */
export function isSpread(redis: RedisClient): boolean {
  return redis instanceof Cluster;
}

/** Calls `send` once if one server has all keys, otherwise once per hash slot in parallel. Results are in the order of the items. */
export async function bySlot<Item, Reply>(
  redis: RedisClient,
  items: readonly Item[],
  keyOf: (item: Item) => string,
  send: (part: readonly Item[]) => Promise<readonly Reply[]>,
): Promise<readonly (Reply | undefined)[]> {
  if (!isSpread(redis)) return await send(items);
  const places = new Map<number, number[]>();
  for (const [place, item] of items.entries()) {
    const slot = hashSlotOf(keyOf(item));
    places.set(slot, [...(places.get(slot) ?? []), place]);
  }
  const replies: (Reply | undefined)[] = items.map(() => undefined);
  await Promise.all(
    [...places.values()].map(async (part) => {
      const received = await send(part.flatMap((place) => items.slice(place, place + 1)));
      for (const [i, place] of part.entries()) replies[place] = received[i];
    }),
  );
  return replies;
}

function hashSlotOf(key: string): number {
  return new Command("get", [key]).getSlot();
}

function nameOf(server: HostPort | undefined): string | undefined {
  return server && `${server.host}:${server.port}`;
}
