import { Cluster, Command, Redis } from "ioredis";
import type { HostPort } from "./address.js";
import type { RedisClient } from "./connect.js";

/** Each server that takes writes: one, or the masters of a cluster as far as they are known now. */
export function mastersOf(redis: RedisClient): readonly RedisClient[] {
  return redis instanceof Cluster ? redis.nodes("master") : [redis];
}

/** The server that has this key, as far as is known now. */
export function masterOf(redis: RedisClient, key: string): RedisClient | undefined {
  if (!(redis instanceof Cluster)) return redis;
  const name = redis.slots[hashSlotOf(key)]?.[0];
  return redis.nodes("master").find((node) => nameOf(serverOf(node)) === name);
}

/** Where a node of a cluster is, as the cluster says; undefined where that is not known from the connection. */
export function serverOf(master: RedisClient): HostPort | undefined {
  if (!(master instanceof Redis)) return undefined;
  const { host, port } = master.options;
  return host === undefined || port === undefined ? undefined : { host, port };
}

/** Whether keys lie on several servers, so that one command cannot have them all. */
export function isSpread(redis: RedisClient): boolean {
  return redis instanceof Cluster;
}

/** Asks once where one server has all keys; else once for each hash slot, side by side. Answers stand in the order of what was asked. */
export async function bySlot<Item, Answer>(
  redis: RedisClient,
  items: readonly Item[],
  keyOf: (item: Item) => string,
  ask: (part: readonly Item[]) => Promise<readonly Answer[]>,
): Promise<readonly (Answer | undefined)[]> {
  if (!isSpread(redis)) return await ask(items);
  const places = new Map<number, number[]>();
  for (const [place, item] of items.entries()) {
    const slot = hashSlotOf(keyOf(item));
    places.set(slot, [...(places.get(slot) ?? []), place]);
  }
  const answers: (Answer | undefined)[] = items.map(() => undefined);
  await Promise.all(
    [...places.values()].map(async (part) => {
      const told = await ask(part.flatMap((place) => items.slice(place, place + 1)));
      for (const [i, place] of part.entries()) answers[place] = told[i];
    }),
  );
  return answers;
}

function hashSlotOf(key: string): number {
  return new Command("get", [key]).getSlot();
}

function nameOf(server: HostPort | undefined): string | undefined {
  return server && `${server.host}:${server.port}`;
}
