import { readMembers } from "../../../shared/cluster/membership.js";
import { readMarks } from "../../../shared/cluster/operator-marks.js";
import { readReports } from "../../../shared/cluster/process-report.js";
import { silentLog } from "../../../shared/log/logger.js";
import { slotCount } from "../../../shared/limits.js";
import { connectRedis, type RedisClient } from "../../../shared/redis/connect.js";
import { keys } from "../../../shared/redis/keys.js";
import { fail, type Finding } from "./finding.js";
import { judgeMembers } from "./judge-members.js";
import { judgeCache, judgeRedis, type RedisFacts } from "./judge-redis.js";

const pings = 15;

export async function examineRedis(redis: RedisClient, isSocket: boolean, sessions: number): Promise<Finding[]> {
  const [facts, members] = [await factsOf(redis, isSocket), await examineMembers(redis)];
  return [...judgeRedis(facts, sessions), ...members];
}

/** `url`: the cache's own; where it has none, media lie beside the logins. */
export async function examineCache(url: string): Promise<Finding[]> {
  let redis: RedisClient | undefined;
  try {
    redis = await connectRedis(url, "writer", silentLog);
    return judgeCache(await factsOf(redis, url.startsWith("/")));
  } catch {
    return [
      fail("cache redis", "does not answer", "start it, or correct REDIS_CACHE_URL: media and long lists are slow or missing without it"),
    ];
  } finally {
    redis?.disconnect();
  }
}

async function examineMembers(redis: RedisClient): Promise<Finding[]> {
  const [members, reports, { drained }] = await Promise.all([readMembers(redis), readReports(redis), readMarks(redis)]);
  return judgeMembers({ members, reports, drained: [...drained] });
}

export async function countStored(redis: RedisClient): Promise<number> {
  const counts = await Promise.all(Array.from({ length: slotCount }, (_, slot) => redis.scard(keys.slotSessions(slot))));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Reads only. */
export async function factsOf(redis: RedisClient, isSocket: boolean): Promise<RedisFacts> {
  const latencies: number[] = [];
  for (let i = 0; i < pings; i += 1) {
    const sentAt = performance.now();
    await redis.ping();
    latencies.push(performance.now() - sentAt);
  }
  latencies.sort((a, b) => a - b);
  const info = fieldsOf(await redis.info());
  const user = await redis.acl("WHOAMI").catch(() => undefined); // One that may not ask.
  const askedAt = Date.now();
  const [seconds = 0, micros = 0] = (await redis.time()).map(Number);
  const middle = (askedAt + Date.now()) / 2;
  return { info, latencyMs: latencies[Math.floor(pings / 2)] ?? 0, clockMs: seconds * 1_000 + micros / 1_000 - middle, user, isSocket };
}

/** `name:value` lines of INFO. */
export function fieldsOf(info: string): Record<string, string> {
  return Object.fromEntries(
    info.split(/\r?\n/).flatMap((line) => {
      const colon = line.indexOf(":");
      return colon > 0 && !line.startsWith("#") ? [[line.slice(0, colon), line.slice(colon + 1)]] : [];
    }),
  );
}
