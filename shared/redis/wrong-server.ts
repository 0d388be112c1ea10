import type { RedisPlace } from "./address.js";
import type { InfoFields } from "./info-fields.js";
import { isTooOld, nameOfServer, oldestRedis } from "./oldest-redis.js";

/** Purpose of a Redis (shared/README.md, "Redis"). One Redis may have both. */
export type RedisServer = "coordination" | "cache";

export interface WrongServer {
  /** Continues the setting's name. */
  readonly why: string;
  /** True if a failover may fix it. */
  readonly mayPass: boolean;
}

/** Returns why a server does not fit its setting; undefined if it does. Pure. */
export function wrongServer(info: InfoFields, kind: RedisPlace["kind"], server: RedisServer): WrongServer | undefined {
  // Valkey has its own field name for it.
  const mode = info["redis_mode"] ?? info["server_mode"];
  const isNode = mode === "cluster" || info["cluster_enabled"] === "1";
  if (isTooOld(info)) return lasting(`names a ${nameOfServer(info)}, which is too old: use Redis ${oldestRedis} or newer, or Valkey`);
  if (mode === "sentinel") return lasting("names a Sentinel: write redis+sentinel://host:port,host:port/name");
  if (isNode && kind !== "cluster") return lasting("names a node of a Redis Cluster: write redis+cluster://host:port,host:port");
  if (info["role"] === "slave")
    return {
      why: "names a replica, which takes no writes: name its master, or the Sentinels that know who is (redis+sentinel://host:port/name)",
      mayPass: true,
    };
  if (server === "coordination" && evicts(info))
    return lasting(
      `names a Redis that removes logins when it is full: give it maxmemory-policy noeviction instead of ${info["maxmemory_policy"]}, or look whether REDIS_URL and REDIS_CACHE_URL have changed places`,
    );
  return undefined;
}

function lasting(why: string): WrongServer {
  return { why, mayPass: false };
}

/** Returns a risk of a server that works, in words that continue the setting's name. */
export function riskOfServer(info: InfoFields, server: RedisServer): string | undefined {
  if (server === "coordination" && info["aof_enabled"] === "0")
    return "names a Redis without an append-only file: its next restart loses all logins; set appendonly yes";
  return undefined;
}

function evicts(info: InfoFields): boolean {
  const policy = info["maxmemory_policy"];
  return Number(info["maxmemory"] ?? 0) > 0 && policy !== undefined && policy !== "noeviction";
}
