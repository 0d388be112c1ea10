import { readMembers } from "../../../shared/cluster/membership.js";
import { readMarks } from "../../../shared/cluster/operator-marks.js";
import { readReports } from "../../../shared/cluster/process-report.js";
import { silentLog } from "../../../shared/log/logger.js";
import { slotCount } from "../../../shared/limits.js";
import { ConfigError } from "../../../shared/config/env.js";
import type { RedisAddress, RedisPlace } from "../../../shared/redis/address.js";
import { readPair, type WrongPair } from "../../../shared/redis/cache-owner.js";
import { connectRedis, type RedisClient } from "../../../shared/redis/connect.js";
import { infoFields } from "../../../shared/redis/info-fields.js";
import { keys } from "../../../shared/redis/keys.js";
import { mastersOf } from "../../../shared/redis/topology.js";
import { fail, mergeFindings, type Finding } from "./finding.js";
import { judgeMembers } from "./judge-members.js";
import { judgeTelegram } from "./judge-telegram.js";
import { judgeCache, judgeRedis, type RedisFacts } from "./judge-redis.js";

const pings = 15;

/** Examines each Redis that accepts writes: in a cluster, all masters. */
export async function examineRedis(redis: RedisClient, kind: RedisPlace["kind"], sessions: number): Promise<Finding[]> {
  const masters = mastersOf(redis);
  const facts = await Promise.all(masters.map((master) => factsOf(master, kind)));
  const each = Math.ceil(sessions / Math.max(1, masters.length));
  return [...mergeFindings(facts.map((one) => judgeRedis(one, each))), ...(await examineMembers(redis))];
}

/** Examines the separate cache Redis. Without one, media are stored beside the logins. */
export async function examineCache(address: RedisAddress, coordination: RedisClient): Promise<Finding[]> {
  let redis: RedisClient | undefined;
  try {
    redis = await connectRedis(address, "writer", silentLog);
    const facts = await Promise.all(mastersOf(redis).map((master) => factsOf(master, address.kind)));
    const wrong = await readPair(coordination, redis);
    return [...mergeFindings(facts.map(judgeCache)), ...(wrong === undefined ? [] : [wrongServerFinding(wrong)])];
  } catch (error) {
    if (error instanceof ConfigError) return [fail("cache redis", error.message, "correct the setting and restart the processes")];
    return [
      fail("cache redis", "does not respond", "start it, or correct REDIS_CACHE_URL; without it, media and long lists are slow or fail"),
    ];
  } finally {
    redis?.disconnect();
  }
}

function wrongServerFinding({ server, why }: WrongPair): Finding {
  const fix = "correct the setting and restart the processes";
  return server === "cache" ? fail("cache redis", `REDIS_CACHE_URL ${why}`, fix) : fail("redis", `REDIS_URL ${why}`, fix);
}

async function examineMembers(redis: RedisClient): Promise<Finding[]> {
  const [members, reports, { drained }] = await Promise.all([readMembers(redis), readReports(redis), readMarks(redis)]);
  return [...judgeMembers({ members, reports, drained: [...drained] }), ...judgeTelegram(reports)];
}

export async function countStored(redis: RedisClient): Promise<number> {
  const counts = await Promise.all(Array.from({ length: slotCount }, (_, slot) => redis.scard(keys.slotSessions(slot))));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Only reads. */
export async function factsOf(redis: RedisClient, kind: RedisPlace["kind"]): Promise<RedisFacts> {
  const latencies: number[] = [];
  for (let i = 0; i < pings; i += 1) {
    const sentAt = performance.now();
    await redis.ping();
    latencies.push(performance.now() - sentAt);
  }
  latencies.sort((a, b) => a - b);
  const info = infoFields(await redis.info());
  const user = await redis.acl("WHOAMI").catch(() => undefined); // The user may not run `ACL WHOAMI`.
  const requestedAt = Date.now();
  const [seconds = 0, micros = 0] = (await redis.time()).map(Number);
  const middle = (requestedAt + Date.now()) / 2;
  return { info, latencyMs: latencies[Math.floor(pings / 2)] ?? 0, clockMs: seconds * 1_000 + micros / 1_000 - middle, user, kind };
}
