import type { ClusterOptions, RedisOptions } from "ioredis";
import type { HostPort, RedisAccess, RedisAddress } from "./address.js";
import { refusalOf } from "../flow/redis-trouble.js";

/**
 * Purpose of a connection, which decides how it behaves when Redis is slow or down (shared/README.md, "Redis"). Every write on `writer`
 * must be idempotent, because ioredis may resend it.
 */
export type ConnectionRole = "writer" | "reader" | "heartbeat" | "subscriber" | "invalidations";

const roles = {
  writer: { commandTimeout: 3_000, maxRetriesPerRequest: 1, enableOfflineQueue: false, keepAlive: 10_000 },
  // An aborted read must not run later: its reply would take entries of a group that nothing processes.
  reader: { maxRetriesPerRequest: null, enableOfflineQueue: false, autoResendUnfulfilledCommands: false, keepAlive: 10_000 },
  heartbeat: { commandTimeout: 2_000, maxRetriesPerRequest: 1, enableOfflineQueue: false, keepAlive: 10_000 },
  subscriber: { maxRetriesPerRequest: null, autoResubscribe: true, keepAlive: 10_000 },
  invalidations: {
    commandTimeout: 3_000,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    autoResubscribe: false,
    protocol: 2,
    keepAlive: 10_000,
  },
} satisfies Record<ConnectionRole, RedisOptions>;

/** Longer than a blocking read and any command. A connection without a reply for this time is replaced. */
export const silenceMs = 5_000;
/** Delay on a cluster after a node is lost, or reports that it has no slots yet. */
const retryMs = 100;
const redirectionsMax = 16;
/** The map is also refreshed at each MOVED and when a node is lost. */
const slotsRefreshMs = 15_000;
const slotsTimeoutMs = 2_000;

const retryDelay = (attempt: number): number => Math.min(50 * 2 ** attempt, 1_000);

/** Returns the options of the connection to one server: a fixed one, or the master that Sentinels name. */
export function serverOptions(address: Exclude<RedisAddress, { kind: "cluster" }>, role: ConnectionRole): RedisOptions {
  return {
    ...common(address.access, role),
    ...placeOptions(address),
    retryStrategy: retryDelay,
  };
}

/** Returns the options of the connections to a cluster's nodes. */
export function clusterOptions({ access }: RedisAddress, role: ConnectionRole): ClusterOptions {
  const again = role === "reader" ? 0 : retryMs;
  return {
    lazyConnect: true,
    clusterRetryStrategy: retryDelay,
    enableOfflineQueue: role === "subscriber",
    slotsRefreshInterval: slotsRefreshMs,
    slotsRefreshTimeout: slotsTimeoutMs,
    maxRedirections: redirectionsMax,
    retryDelayOnFailover: again,
    retryDelayOnClusterDown: again,
    retryDelayOnTryAgain: retryMs,
    // Passes names through: each connection resolves them anew, and certificates are issued for names.
    dnsLookup: (host, done) => done(null, host),
    redisOptions: common(access, role),
  };
}

function common(access: RedisAccess, role: ConnectionRole): RedisOptions {
  return {
    ...roles[role],
    ...credentials(access),
    ...(access.tls === undefined ? {} : { tls: access.tls }),
    lazyConnect: true,
    connectionName: `trunkline-${role}`,
    connectTimeout: 5_000,
    socketTimeout: silenceMs,
    // After a failover the old primary replies READONLY. A reconnect finds the new one.
    reconnectOnError: (error) => refusalOf(error).startsWith("READONLY"),
  };
}

function placeOptions(address: Exclude<RedisAddress, { kind: "cluster" }>): RedisOptions {
  switch (address.kind) {
    case "socket":
      return { path: address.path };
    case "server":
      return { ...address.server, db: address.database };
    case "sentinel": {
      const { tls, sentinel } = address.access;
      return {
        sentinels: address.sentinels.map((one: HostPort) => ({ ...one })),
        name: address.master,
        db: address.database,
        sentinelCommandTimeout: 2_000,
        sentinelRetryStrategy: retryDelay,
        ...(sentinel?.username === undefined ? {} : { sentinelUsername: sentinel.username }),
        ...(sentinel?.password === undefined ? {} : { sentinelPassword: sentinel.password }),
        ...(tls === undefined ? {} : { sentinelTLS: tls, enableTLSForSentinelMode: true }),
      };
    }
    default:
      return address satisfies never;
  }
}

function credentials({ username, password }: RedisAccess): RedisOptions {
  return { ...(username === undefined ? {} : { username }), ...(password === undefined ? {} : { password }) };
}
