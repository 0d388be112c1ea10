import { claimPorts } from "./claimed-ports.js";
import { eventually } from "./eventually.js";
import { startRedisNode, type RedisNode } from "./redis-node.js";
import { makeRedisUsers, type RedisUsers } from "./redis-users.js";

/** Servers that together serve as one Redis, and the URL for the gateway. */
export interface Topology {
  readonly url: string;
  readonly nodes: readonly RedisNode[];
  readonly users: RedisUsers;
  stop(): Promise<void>;
}

const withFile = ["appendonly yes", 'save ""', "maxmemory-policy noeviction"];
/** Silence in ms after which a node counts as dead. */
const deadMs = 2_000;

/** Starts three masters, each with a replica: the first three nodes are the masters. */
export async function startRedisCluster(): Promise<Topology> {
  const ports = await claimPorts();
  const users = makeRedisUsers();
  const client = { password: users.operatorPassword };
  const config = (i: number): string[] => [
    ...withFile,
    ...users.serverConfig,
    "cluster-enabled yes",
    `cluster-port ${ports.first + 10 + i}`,
    `cluster-node-timeout ${deadMs}`,
    "repl-diskless-sync-delay 0",
  ];
  const nodes = await startAll(Array.from({ length: 6 }, (_, i) => ({ port: ports.first + i, config: config(i), client })));
  const [first] = nodes;
  if (first === undefined) throw new Error("no node");
  for (const [i, { client, port }] of nodes.entries()) {
    await client.cluster("SET-CONFIG-EPOCH", i + 1);
    if (i > 0) await first.client.call("CLUSTER", "MEET", "127.0.0.1", String(port), String(ports.first + 10 + i));
  }
  const thirds = [0, 5461, 10_923, 16_384];
  for (const [i, { client }] of nodes.slice(0, 3).entries())
    await client.call("CLUSTER", "ADDSLOTSRANGE", String(thirds[i]), String((thirds[i + 1] ?? 0) - 1));
  await eventually("nodes know each other", async () => {
    const views = await Promise.all(nodes.map(({ client }) => client.cluster("NODES")));
    return views.every((text) => String(text).trim().split("\n").length === 6 && !String(text).includes("handshake"));
  });
  for (const [i, { client }] of nodes.slice(3).entries()) await client.cluster("REPLICATE", (await nodes[i]?.client.cluster("MYID")) ?? "");
  await eventually("a cluster that is well", async () => {
    const infos = await Promise.all(nodes.map(({ client }) => client.cluster("INFO")));
    const links = await Promise.all(nodes.slice(3).map(({ client }) => client.info("replication")));
    return infos.every((info) => info.includes("cluster_state:ok")) && links.every((info) => info.includes("master_link_status:up"));
  });
  // Two of three nodes suffice to find the others.
  const url = `redis+cluster://${nodes
    .slice(1, 3)
    .map(({ port }) => `127.0.0.1:${port}`)
    .join(",")}`;
  return { url, nodes, users, stop: stopper(nodes, users, ports.release) };
}

/** Starts a master, its replica, and three Sentinels that monitor the master as `logins`, in this order. */
export async function startRedisSentinel(): Promise<Topology> {
  const ports = await claimPorts();
  const users = makeRedisUsers();
  const client = { password: users.operatorPassword };
  const served = [...withFile, ...users.serverConfig, "repl-diskless-sync-delay 0"];
  const [master, replica] = [ports.first, ports.first + 1];
  const sentinels = [2, 3, 4].map((i) => ports.first + i);
  const servers = await startAll([
    { port: master, config: served, client },
    { port: replica, config: [...served, `replicaof 127.0.0.1 ${master}`], client },
  ]);
  await eventually("a replica", async () => (await servers[1]?.client.info("replication"))?.includes("master_link_status:up"));
  const watch = [
    `sentinel monitor logins 127.0.0.1 ${master} 2`,
    `sentinel down-after-milliseconds logins ${deadMs}`,
    "sentinel failover-timeout logins 10000",
    ...users.sentinelConfig,
  ];
  const watchers = await startAll(sentinels.map((port) => ({ port, config: watch, isSentinel: true, client })));
  await eventually("sentinels know each other and the replica", async () => {
    const masters = await Promise.all(watchers.map(({ client }) => client.call("SENTINEL", "MASTER", "logins")));
    return masters.every((fields) => valueOf(fields, "num-other-sentinels") === "2" && valueOf(fields, "num-slaves") === "1");
  });
  const nodes = [...servers, ...watchers];
  const url = `redis+sentinel://${sentinels.map((port) => `127.0.0.1:${port}`).join(",")}/logins`;
  return { url, nodes, users, stop: stopper(nodes, users, ports.release) };
}

function valueOf(fields: unknown, name: string): unknown {
  return Array.isArray(fields) ? (fields as unknown[])[fields.indexOf(name) + 1] : undefined;
}

async function startAll(options: readonly Parameters<typeof startRedisNode>[0][]): Promise<RedisNode[]> {
  const started = await Promise.allSettled(options.map((one) => startRedisNode(one)));
  const nodes = started.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const failed = started.find((one) => one.status === "rejected");
  if (failed === undefined) return nodes;
  await Promise.all(nodes.map((node) => node.stop()));
  throw failed.reason;
}

function stopper(nodes: readonly RedisNode[], users: RedisUsers, release: () => void): () => Promise<void> {
  return async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    users.remove();
    release();
  };
}
