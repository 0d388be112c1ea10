import type { ClusterOptions, RedisOptions } from "ioredis";
import type { HostPort, RedisAccess, RedisAddress } from "./address.js";
import { refusalOf } from "../flow/redis-trouble.js";

/**
 * What a connection is for decides how it behaves when Redis is slow or away (shared/README.md, "Redis").
 * - `writer`: commands and scripts. Every write on it is idempotent on the Redis side, so ioredis may resend what had no answer.
 * - `reader`: one blocking stream reader; ends on `disconnect()`.
 * - `heartbeat`: the lease, never shared with bulk work.
 * - `subscriber`: pub/sub nudges; losing one costs a poll interval, never correctness.
 * - `invalidations`: hears what one server tracks (`invalidation-feed.ts`). RESP2, where such messages are pub/sub messages; who lost them starts anew.
 */
export type ConnectionRole = "writer" | "reader" | "heartbeat" | "subscriber" | "invalidations";

const roles = {
  writer: { commandTimeout: 3_000, maxRetriesPerRequest: 1, enableOfflineQueue: false, keepAlive: 10_000 },
  // A read that was given up must not run later: it would take a group's entries into an answer that nobody hears.
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

/** Longer than a blocking read, and than any command of ours may take: a connection whose commands have no answer for so long is closed and replaced. */
export const silenceMs = 5_000;
/** Delays on a cluster: a node that went away, and one that says that it has no slots yet. */
const askAgainMs = 100;
const redirectionsMax = 16;
/** Also learned at each MOVED, and when a node is lost. */
const slotsRefreshMs = 15_000;
const slotsTimeoutMs = 2_000;

const retryDelay = (attempt: number): number => Math.min(50 * 2 ** attempt, 1_000);

/** Of the connection to one server: a fixed one, or the master that Sentinels name. */
export function serverOptions(address: Exclude<RedisAddress, { kind: "cluster" }>, role: ConnectionRole): RedisOptions {
  return {
    ...common(address.access, role),
    ...placeOptions(address),
    retryStrategy: retryDelay,
  };
}

/** Of the connections to the nodes of a cluster. */
export function clusterOptions({ access }: RedisAddress, role: ConnectionRole): ClusterOptions {
  const again = role === "reader" ? 0 : askAgainMs;
  return {
    lazyConnect: true,
    clusterRetryStrategy: retryDelay,
    enableOfflineQueue: role === "subscriber",
    slotsRefreshInterval: slotsRefreshMs,
    slotsRefreshTimeout: slotsTimeoutMs,
    maxRedirections: redirectionsMax,
    retryDelayOnFailover: again,
    retryDelayOnClusterDown: again,
    retryDelayOnTryAgain: askAgainMs,
    // Looked up anew at each connection; a certificate is made out to the name.
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
    // After a failover the old primary answers READONLY: reconnect to find the new one.
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
