import { beatTag, takePlace, writeBeat } from "../../shared/cluster/beat-feed.js";
import { MemberWatch } from "../../shared/cluster/member-watch.js";
import { heartbeat, join } from "../../shared/cluster/membership.js";
import { pause } from "../../shared/flow/pause.js";
import { silentLog } from "../../shared/log/logger.js";
import { connectRedis, type RedisClient } from "../../shared/redis/connect.js";
import { startRedis } from "../../test/harness/redis.js";
import { hostedMembers } from "./hosts.js";

export interface MembershipLoad {
  /** Load of one process that watches the members: commands a second, bytes a second, and their cost for Redis. */
  readonly commands: number;
  readonly bytes: number;
  readonly redisMs: number;
}

const watchers = 10;
const beatMs = 3_000;

/** Runs a real Redis with the heartbeats of `shards` members and the watches of ten processes for `seconds`. */
export async function measureMembership(shards: number, seconds: number, signal: AbortSignal): Promise<MembershipLoad> {
  const redis = await startRedis();
  const ends: (() => unknown)[] = [];
  const beating = await connectRedis(redis.url, "writer", silentLog);
  ends.push(() => beating.disconnect());
  try {
    const members = await joined(beating, shards);
    const subscriber = await connectRedis(redis.url, "subscriber", silentLog);
    ends.push(() => subscriber.disconnect());
    for (const member of members) void beat(beating, member, ends);
    const watches = await Promise.all(
      Array.from({ length: watchers }, async () => {
        const own = await connectRedis(redis.url, "writer", silentLog);
        const watch = new MemberWatch({ redis: own, subscriber, log: silentLog });
        await watch.start();
        ends.push(() => watch.stop().then(() => own.disconnect()));
        return watch;
      }),
    );
    // The members find each other in the first round of heartbeats.
    await waited(beatMs + 1_000, signal);
    const before = await countersOf(redis.client);
    await waited(seconds * 1_000, signal);
    const after = await countersOf(redis.client);
    const spent = { calls: after.records - before.records, read: after.read - before.read };
    const share = 1 / (watchers * seconds);
    if (watches.some((watch) => watch.all().length !== shards)) throw new Error("a watch does not know all members");
    const recordsMs = ((after.recordsMs - before.recordsMs) * spent.read) / Math.max(1, spent.calls);
    return {
      commands: (spent.read + after.others - before.others) * share,
      bytes: (after.bytes - before.bytes) * share,
      redisMs: (recordsMs + after.othersMs - before.othersMs) * share,
    };
  } finally {
    for (const end of ends.reverse()) await end();
    await redis.stop();
  }
}

interface Beating {
  readonly name: string;
  readonly incarnation: string;
  readonly place: number | undefined;
}

async function joined(redis: RedisClient, shards: number): Promise<Beating[]> {
  return await Promise.all(
    hostedMembers(shards, 5).map(async ({ name, host, weight }) => {
      const incarnation = `${name}:1`;
      const place = await takePlace(redis, name);
      await join(redis, { name, incarnation, host, weight, ...(place === undefined ? {} : { place }) });
      return { name, incarnation, place };
    }),
  );
}

/** Starts at a random moment, as independent processes do. */
async function beat(redis: RedisClient, { name, incarnation, place }: Beating, ends: (() => unknown)[]): Promise<void> {
  await pause(Math.random() * beatMs);
  const once = async (): Promise<void> => {
    const sequence = await heartbeat(redis, name, incarnation);
    if (sequence !== undefined && place !== undefined)
      await writeBeat(redis, place, { tag: beatTag(incarnation), sequence, isDraining: false });
  };
  const timer = setInterval(() => void once().catch(() => undefined), beatMs);
  ends.push(() => clearInterval(timer));
  await once();
}

interface Counters {
  /** Records that were read, and how many of them for watches. Each heartbeat is a script that reads one record. */
  readonly records: number;
  readonly read: number;
  readonly recordsMs: number;
  readonly others: number;
  readonly othersMs: number;
  readonly bytes: number;
}

async function countersOf(redis: RedisClient): Promise<Counters> {
  const stats = await redis.info("commandstats");
  const of = (name: string): { calls: number; ms: number } => {
    const [, calls = 0, microseconds = 0] = new RegExp(`cmdstat_${name}:calls=(\\d+),usec=(\\d+)`).exec(stats) ?? [];
    return { calls: Number(calls), ms: Number(microseconds) / 1_000 };
  };
  const records = of("hmget");
  const others = ["get", "scard", "smembers"].map(of);
  return {
    records: records.calls,
    read: records.calls - of("evalsha").calls,
    recordsMs: records.ms,
    others: others.reduce((sum, { calls }) => sum + calls, 0),
    othersMs: others.reduce((sum, { ms }) => sum + ms, 0),
    bytes: Number(/total_net_output_bytes:(\d+)/.exec(await redis.info("stats"))?.[1]),
  };
}

async function waited(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, signal);
  signal.throwIfAborted();
}
