import { Cluster, Redis, type ChainableCommander, type Command, type RedisCommander } from "ioredis";
import { ConfigError } from "../config/env.js";
import { within } from "../flow/within.js";
import type { Log } from "../log/logger.js";
import { parseRedisAddress, placeOf, serversOf, type RedisAddress } from "./address.js";
import { batchWrites } from "./batched-writes.js";
import { readClusterTrouble } from "./cluster-trouble.js";
import { settingTrouble } from "./connect-trouble.js";
import { clusterOptions, serverOptions, silenceMs, type ConnectionRole } from "./connection-options.js";
import { keepAlive } from "./keep-alive.js";
import { encryptedRefusal, spokenAt } from "./spoken-at.js";
import { UnfitServer } from "./unfit-server.js";

/**
 * The only type of a Redis client, for every topology; only this folder imports ioredis. On a cluster all keys of one command need the
 * same hash tag. Pipelines are not needed, because commands of one turn leave together (`batchWrites`).
 */
export interface RedisClient extends RedisCommander {
  readonly status: string;
  on(event: "message", listener: (channel: string, message: string) => void): unknown;
  on(event: "ready" | "close" | "end", listener: () => void): unknown;
  once(event: "ready" | "close" | "end", listener: () => void): unknown;
  off(event: "message", listener: (channel: string, message: string) => void): unknown;
  off(event: "ready" | "close" | "end", listener: () => void): unknown;
  /** All keys must have one hash tag. */
  multi(): ChainableCommander;
  sendCommand(command: Command): unknown;
  /** `reconnect`: the client reconnects by itself. */
  disconnect(reconnect?: boolean): void;
}

type ClusterAddress = RedisAddress & { readonly kind: "cluster" };

/** Last error of a connection that is down; undefined while it is up. */
const lastErrors = new WeakMap<RedisClient, Error>();

export function lastErrorOf(redis: RedisClient): Error | undefined {
  return lastErrors.get(redis);
}

const open = new Map<ConnectionRole, Set<Redis | Cluster>>();

/** Returns the number of ready connections of this process, by role. */
export function openConnections(): ReadonlyMap<ConnectionRole, number> {
  return new Map([...open].map(([role, clients]) => [role, [...clients].reduce((sum, client) => sum + standing(client), 0)]));
}

function standing(client: Redis | Cluster): number {
  const all = client instanceof Cluster ? client.nodes() : [client];
  return all.filter(({ status }) => status === "ready").length;
}

const connectMs = 10_000;
/**
 * A server without TLS waits for the rest of the TLS greeting, and the library waits for the server. The port is probed after this time.
 */
const silentMs = 500;
/** Longest wait for one node that explains why its cluster does not serve. */
const nodeMs = 1_000;
/** Shortest time between two log lines about the same node. */
const sayAgainMs = 1_000;

/**
 * Resolves when Redis is ready; rejects after 10 s. Then reconnects by itself (delay 50 ms doubling to 1 s, without end) and follows
 * failovers. `where`: an address of the settings, or the text of one without further settings.
 */
export async function connectRedis(where: RedisAddress | string, role: ConnectionRole, log: Log): Promise<RedisClient> {
  const address = typeof where === "string" ? parseRedisAddress(where) : where;
  const setting = address.setting ?? "REDIS_URL";
  const encrypted = address.access.tls !== undefined;
  let refuse: (error: Error) => void = () => undefined;
  // Stops the wait at once if a retry cannot help.
  const refused = new Promise<never>((_, reject) => (refuse = reject));
  refused.catch(() => undefined);
  /** Time of the last log line per node. */
  const said = new Map<string, number>();
  const onError = (error: Error, node = ""): void => {
    // Keeps the error of the single Sentinel, because "All sentinels are unreachable" comes after it and says less.
    const cause = "lastNodeError" in error && error.lastNodeError instanceof Error ? error.lastNodeError : error;
    if (!cause.message.startsWith("All sentinels are unreachable") || !lastErrors.has(redis)) lastErrors.set(redis, cause);
    if (settingTrouble(cause, undefined, encrypted) !== undefined) refuse(cause);
    if (performance.now() - (said.get(node) ?? Number.NEGATIVE_INFINITY) < sayAgainMs) return;
    said.set(node, performance.now());
    log.warn({ role, ...(node === "" ? {} : { node }), reason: error.message }, "redis connection error");
  };
  const redis = address.kind === "cluster" ? openCluster(address, role, onError) : openServer(address, role, onError);
  redis.on("ready", () => lastErrors.delete(redis));
  if (role === "subscriber" || role === "invalidations") keepAlive(redis, silenceMs);
  const clients = open.get(role) ?? new Set();
  open.set(role, clients.add(redis));
  redis.on("end", () => clients.delete(redis));
  const checkSilence = async (): Promise<void> => {
    const why = await unencryptedTrouble(address);
    if (why !== undefined) refuse(new ConfigError([`${setting} ${why}`]));
  };
  const silent = encrypted ? setTimeout(() => void checkSilence(), silentMs) : undefined;
  try {
    await within(Promise.race([isOpen(redis), refused]), connectMs, () => new Error("timeout"));
  } catch (error) {
    // Nodes of an incomplete cluster respond but serve nothing. The cluster may become complete later.
    redis.disconnect();
    if (error instanceof ConfigError) throw error;
    const cluster = address.kind === "cluster" ? await troubleOfCluster(address) : undefined;
    const cause = lastErrors.get(redis) ?? error;
    const why = await troubleOf(address, cause);
    if (why !== undefined) throw new ConfigError([`${setting} ${why}`]);
    if (cluster !== undefined) throw new UnfitServer(`${setting} ${cluster}`, { cause });
    throw new Error(`redis does not answer at ${placeOf(address)}`, { cause });
  } finally {
    clearTimeout(silent);
  }
  return redis;
}

/** A single server's refusal rejects at once. In a cluster the first node may be down or slow while others work. */
async function isOpen(redis: Redis | Cluster): Promise<void> {
  const connecting = redis.connect();
  if (redis instanceof Redis) {
    await connecting;
    return;
  }
  connecting.catch(() => undefined);
  await new Promise<void>((resolve) => redis.once("ready", resolve));
}

/** A cluster without hash slots names no nodes, so the nodes of the setting are read one by one. Never rejects. */
async function troubleOfCluster({ nodes, access }: ClusterAddress): Promise<string | undefined> {
  const problems = await Promise.all(
    nodes.map(async (server) => {
      const node = new Redis({ ...serverOptions({ kind: "server", server, database: 0, access }, "writer"), replyMapping: "legacy" });
      node.on("error", () => undefined);
      try {
        await within(node.connect(), nodeMs, () => new Error("timeout"));
        return await readClusterTrouble([node]);
      } catch {
        return undefined;
      } finally {
        node.disconnect();
      }
    }),
  );
  return problems.find((trouble) => trouble !== undefined);
}

/** For an address with TLS: checks whether one of its servers uses none. Never rejects. */
async function unencryptedTrouble(address: RedisAddress): Promise<string | undefined> {
  const spoken = await Promise.all(serversOf(address).map((server) => spokenAt(server)));
  return spoken.includes("plain") ? settingTrouble(undefined, "plain", true) : undefined;
}

/** Returns what is wrong with the setting itself, so that a retry would not help. */
async function troubleOf(address: RedisAddress, error: unknown): Promise<string | undefined> {
  const { tls } = address.access;
  const encrypted = tls !== undefined;
  for (const server of serversOf(address)) {
    const spoken = await spokenAt(server);
    const refusal = spoken === "tls" && tls !== undefined ? await encryptedRefusal(server, tls) : undefined;
    const trouble = settingTrouble(error, spoken, encrypted) ?? settingTrouble(refusal, undefined, encrypted);
    if (trouble !== undefined) return trouble;
  }
  return settingTrouble(error, undefined, encrypted);
}

function openServer(address: Exclude<RedisAddress, { kind: "cluster" }>, role: ConnectionRole, onError: (error: Error) => void): Redis {
  const redis = new Redis({ ...serverOptions(address, role), replyMapping: "legacy" });
  if (role === "writer") batchWrites(redis);
  redis.on("error", onError);
  redis.on("sentinelError", onError);
  return redis;
}

function openCluster(address: ClusterAddress, role: ConnectionRole, onError: (error: Error, node?: string) => void): Cluster {
  const { redisOptions = {}, ...options } = clusterOptions(address, role);
  const cluster = new Cluster(
    address.nodes.map((node) => ({ ...node })),
    { ...options, redisOptions: { ...redisOptions, replyMapping: "legacy" } },
  );
  if (role === "writer") cluster.on("+node", batchWrites);
  cluster.on("error", onError);
  cluster.on("node error", onError);
  return cluster;
}
