import type { RedisPlace } from "../../../shared/redis/address.js";
import { isTooOld, nameOfServer, oldestRedis } from "../../../shared/redis/oldest-redis.js";
import { wrongServer } from "../../../shared/redis/wrong-server.js";
import { bytes, counted } from "../output/quantities.js";
import { fail, ok, warn, type Finding } from "./finding.js";

/** Facts that a Redis reports about itself. */
export interface RedisFacts {
  /** Fields of `INFO`. */
  readonly info: Readonly<Record<string, string>>;
  /** Median latency of several pings. */
  readonly latencyMs: number;
  /** Milliseconds by which the Redis clock is ahead of this machine's clock. */
  readonly clockMs: number;
  /** User name of our connection; undefined if Redis does not report it. */
  readonly user: string | undefined;
  readonly kind: RedisPlace["kind"];
}

const latencyWarnMs = 10;
const latencyFailMs = 250;
/** After a clock jump of more than 5 s, the age of a command counts from the moment it is read. */
const [clockWarnMs, clockFailMs] = [1_000, 5_000];
const fullWarn = 0.8;
const fullFail = 0.95;
/** With fewer sessions the average is not meaningful. A session with its address book and webhook takes a few hundred KiB. */
const sessionsMin = 100;
const sessionWarnBytes = 4 * 1024 ** 2;

/** Judges the Redis that stores the logins, with its number of `sessions`. */
export function judgeRedis(facts: RedisFacts, sessions: number): Finding[] {
  return [
    judgeVersion(facts),
    judgeTopology(facts),
    judgeFile(facts),
    judgePolicy(facts),
    judgeSize(facts, sessions),
    judgeLatency(facts),
    judgeClock(facts),
    judgeUser(facts),
  ];
}

/** Judges the cache, which may evict entries. */
export function judgeCache({ info }: RedisFacts): Finding[] {
  const about = "cache redis";
  const [most, policy] = [Number(info["maxmemory"] ?? 0), info["maxmemory_policy"] ?? ""];
  const fix = "set maxmemory and maxmemory-policy allkeys-lru; otherwise media fill its memory";
  if (most === 0) return [warn(about, "has no maxmemory", fix)];
  return policy.startsWith("allkeys-")
    ? [ok(about, `${policy}, ${bytes(most)} maximum`)]
    : [warn(about, `eviction policy is ${policy}`, fix)];
}

function judgeVersion({ info }: RedisFacts): Finding {
  const says = nameOfServer(info);
  return isTooOld(info) ? fail("redis", `${says} is too old`, `use Redis ${oldestRedis} or newer, or Valkey`) : ok("redis", says);
}

function judgeTopology({ info, kind }: RedisFacts): Finding {
  const about = "redis topology";
  // The eviction policy and the version have findings of their own.
  const wrong = isTooOld(info) ? undefined : wrongServer(info, kind, "cache");
  if (wrong !== undefined) return fail(about, `REDIS_URL ${wrong.why}`, "correct the setting and restart the processes");
  const replicas = Number(info["connected_slaves"] ?? 0);
  const what = kind === "cluster" ? "Redis Cluster: master" : kind === "sentinel" ? "found by Sentinels: master" : "primary";
  if (replicas > 0) return ok(about, `${what} with ${counted(replicas, "replica")}`);
  return kind === "cluster" || kind === "sentinel"
    ? warn(about, `${what} without replicas`, "add a replica; without one there is no failover")
    : ok(about, "one server, without replicas");
}

function judgeFile({ info }: RedisFacts): Finding {
  const about = "redis file";
  if (info["aof_enabled"] !== "1")
    return fail(about, "has no append-only file", "set appendonly yes; otherwise a restart of Redis loses logins");
  if (info["aof_last_write_status"] === "err")
    return fail(about, "its last write to the append-only file failed", "free disk space and check the Redis log");
  return ok(about, "append-only file is enabled");
}

function judgePolicy({ info }: RedisFacts): Finding {
  const policy = info["maxmemory_policy"] ?? "";
  return policy === "noeviction"
    ? ok("redis policy", policy)
    : fail("redis policy", policy, "set maxmemory-policy noeviction; otherwise a full Redis evicts logins");
}

function judgeSize({ info }: RedisFacts, sessions: number): Finding {
  const about = "redis memory";
  const [used, most, system] = ["used_memory", "maxmemory", "total_system_memory"].map((field) => Number(info[field] ?? 0)) as [
    number,
    number,
    number,
  ];
  const limit = most > 0 ? most : system;
  const each =
    sessions < sessionsMin
      ? `; ${counted(sessions, "session")}`
      : `, ${bytes(used / sessions)} per session (${counted(sessions, "session")})`;
  const says = `${bytes(used)} of ${bytes(limit)}${most > 0 ? "" : " of its host"}${each}`;
  const share = limit > 0 ? used / limit : 0;
  if (share > fullFail) return fail(about, says, "raise maxmemory or the host's memory; a full Redis rejects every login and command");
  if (share > fullWarn) return warn(about, says, "raise maxmemory before Redis is full");
  if (sessions >= sessionsMin && used / sessions > sessionWarnBytes)
    return warn(about, says, "find what grows, such as undelivered webhook events or streams (deploy/docs/runbook.md)");
  return ok(about, says);
}

function judgeLatency({ latencyMs }: RedisFacts): Finding {
  const says = `${latencyMs.toFixed(1)} ms per ping`;
  const fix = "move Redis closer to the processes, and stop other clients that block it (KEYS, large scripts)";
  if (latencyMs > latencyFailMs) return fail("redis latency", says, fix);
  return latencyMs > latencyWarnMs ? warn("redis latency", says, fix) : ok("redis latency", says);
}

function judgeClock({ clockMs }: RedisFacts): Finding {
  const off = Math.round(Math.abs(clockMs));
  const says = off < 10 ? "Redis and this host agree" : `the Redis clock is ${off} ms ${clockMs > 0 ? "ahead of" : "behind"} this host`;
  const fix = "synchronise both hosts with NTP";
  if (off > clockFailMs) return fail("clocks", says, fix);
  return off > clockWarnMs ? warn("clocks", says, fix) : ok("clocks", says);
}

function judgeUser({ user, kind }: RedisFacts): Finding {
  const about = "redis user";
  if (kind === "socket") return ok(about, "private socket");
  if (user === undefined) return ok(about, "unknown");
  return user === "default" ? ok(about, "default; give the processes users of their own (.github/SECURITY.md)") : ok(about, user);
}
