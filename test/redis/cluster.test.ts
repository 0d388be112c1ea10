import { afterAll, beforeAll, expect, it } from "vitest";
import { slotOf } from "../../shared/contract/slot.js";
import { isSessionId } from "../../shared/contract/ids.js";
import { examineRedis } from "../../deploy/cli/doctor/examine-redis.js";
import { inspect } from "../../deploy/cli/backup/obstacles.js";
import { snapshot } from "../../deploy/cli/backup/snapshot.js";
import { silentLog } from "../../shared/log/logger.js";
import { readOwners, readStale, type SlotToken } from "../../shared/cluster/ownership.js";
import { slotCount } from "../../shared/limits.js";
import { connectRedis } from "../../shared/redis/connect.js";
import { request } from "../harness/api.js";
import { eventually } from "../harness/eventually.js";
import type { RedisNode } from "../harness/redis-node.js";
import { startRedisCluster, type Topology } from "../harness/redis-topologies.js";
import { GatewayOn } from "./gateway-on.js";
import { notRefused } from "./refused-to-users.js";

/**
 * Runs the gateway on a Redis Cluster of three masters and three replicas, which serves as both Redis. Each kind of process, and each
 * replica, has its own user.
 */
let redis: Topology;
let gateway: GatewayOn;
beforeAll(async () => {
  redis = await startRedisCluster();
  gateway = await GatewayOn.start({ REDIS_URL: redis.url }, redis.users.envOf(redis.url));
});
afterAll(async () => {
  await gateway.stop();
  await redis.stop();
});

const roleOf = async (node: RedisNode): Promise<string> => /role:(\w+)/.exec(await node.client.info("replication"))?.[1] ?? "";

/** Returns the master that holds the keys of alice's session. */
async function masterOfAlice(platform: "telegram" | "whatsapp" = "telegram"): Promise<RedisNode> {
  const slot = await hashSlotOfAlice(platform);
  const ranges = (await anyNode().client.cluster("SLOTS")) as unknown as [number, number, [string, number]][];
  const port = ranges.find(([from, to]) => from <= slot && slot <= to)?.[2][1];
  const node = redis.nodes.find((one) => one.port === port);
  if (node === undefined) throw new Error("no such node");
  return node;
}

async function hashSlotOfAlice(platform: "telegram" | "whatsapp"): Promise<number> {
  const { id } = gateway.callers[platform].credentials;
  if (!isSessionId(id)) throw new Error("no session id");
  return await anyNode().client.cluster("KEYSLOT", `{${slotOf(id)}}`);
}

function anyNode(): RedisNode {
  const node = redis.nodes.find(({ client }) => client.status === "ready");
  if (node === undefined) throw new Error("no node answers");
  return node;
}

const isWell = async (): Promise<boolean> => {
  const infos = await Promise.all(redis.nodes.map(({ client }) => client.cluster("INFO")));
  const links = await Promise.all(redis.nodes.map(({ client }) => client.info("replication")));
  return (
    infos.every((info) => info.includes("cluster_state:ok")) &&
    links.every((info) => info.includes("role:master") || info.includes("master_link_status:up"))
  );
};

it("lives a day", () => gateway.liveOneDay());

it("a shard finds stale slots on all masters", async () => {
  const client = await connectRedis(redis.url.replace("://", `://:${redis.users.operatorPassword}@`), "writer", silentLog);
  try {
    const slots = Array.from({ length: slotCount }, (_, slot) => slot);
    const owners = await readOwners(client, slots);
    const tokens = new Map(slots.map((slot) => [slot, owners[slot]?.token ?? ("" as SlotToken)]));
    expect(await readStale(client, tokens)).toEqual([]);
    for (const slot of [0, 1, 2, 3, 4, 4_095]) tokens.set(slot, "1" as SlotToken);
    expect((await readStale(client, tokens)).sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 4_095]);
  } finally {
    client.disconnect();
  }
});

it("a backup has the logins of all masters, and the doctor looks at each", async () => {
  const client = await connectRedis(redis.url.replace("://", `://:${redis.users.operatorPassword}@`), "writer", silentLog);
  try {
    let [sessions, stored] = [0, 0];
    for await (const group of snapshot(client)) {
      sessions += group.sessions;
      stored += group.keys.length;
    }
    expect(sessions).toBe(2);
    const found = await inspect(client);
    expect(found.sessions).toBe(2);
    expect(found.keys).toBeGreaterThan(stored);
    expect(found.running).toContain("shard-1");
    const examined = await examineRedis(client, "cluster", sessions);
    expect(examined.filter(({ level }) => level === "fail")).toEqual([]);
    expect(examined.map(({ says }) => says).join()).toContain("; 1 session (3 of 3 servers)");
  } finally {
    client.disconnect();
  }
});

it("a master that is killed costs some 503", async () => {
  await gateway.surviving("cluster: a master that is killed costs some 503", async (load) => {
    const master = await masterOfAlice();
    await master.kill();
    await load.further(4);
    await master.start();
    await eventually("well again", isWell);
  });
});

it("every master gives routers chunks and tells them of what they have read, those that have just become one too", async () => {
  await eventually("tracking", async () => {
    const roles = await Promise.all(redis.nodes.map((node) => roleOf(node)));
    const masters = redis.nodes.filter((_, i) => roles[i] === "master");
    const lists = await Promise.all(masters.map(({ client }) => client.client("LIST")));
    const purposes = [/ name=trunkline-writer .* flags=\S*t/, / name=trunkline-bulk /];
    const connections = lists.flatMap((list) =>
      purposes.map(
        (purpose) =>
          String(list)
            .split("\n")
            .filter((line) => purpose.test(line)).length,
      ),
    );
    return masters.length === 3 && connections.every((count) => count === gateway.cluster.telegram.length);
  });
});

it("a planned failover costs nothing", async () => {
  const refusals = await gateway.surviving("cluster: a planned failover costs nothing", async () => {
    const master = await masterOfAlice();
    const id = await master.client.cluster("MYID");
    const replica = await eventually("its replica", async () => {
      const lines = String(await master.client.cluster("NODES")).split("\n");
      const port = lines.find((line) => line.includes(`slave ${id}`) && !line.includes("fail"))?.match(/:(\d+)@/)?.[1];
      return redis.nodes.find((node) => String(node.port) === port);
    });
    await replica.client.cluster("FAILOVER");
    await eventually("a new master", async () => (await roleOf(replica)) === "master");
    await eventually("well again", isWell);
  });
  expect([...refusals]).toEqual([]);
});

it("hash slots that move to another master cost nothing", async () => {
  const refusals = await gateway.surviving("cluster: hash slots that move to another master cost nothing", async () => {
    for (const platform of ["telegram", "whatsapp"] as const) {
      const slot = await hashSlotOfAlice(platform);
      const from = await masterOfAlice(platform);
      const masters = [];
      for (const node of redis.nodes) if ((await roleOf(node)) === "master") masters.push(node);
      const to = masters.find((node) => node !== from);
      if (to === undefined) throw new Error("no other master");
      const [source, target] = [await from.client.cluster("MYID"), await to.client.cluster("MYID")];
      await to.client.call("CLUSTER", "SETSLOT", String(slot), "IMPORTING", source);
      await from.client.call("CLUSTER", "SETSLOT", String(slot), "MIGRATING", target);
      for (;;) {
        const keys = (await from.client.call("CLUSTER", "GETKEYSINSLOT", String(slot), "10")) as string[];
        if (keys.length === 0) break;
        await from.client.call(
          "MIGRATE",
          "127.0.0.1",
          String(to.port),
          "",
          "0",
          "5000",
          "AUTH",
          redis.users.operatorPassword,
          "KEYS",
          ...keys,
        );
      }
      for (const node of [to, from, ...masters]) await node.client.call("CLUSTER", "SETSLOT", String(slot), "NODE", target);
      await eventually("moved", async () => (await masterOfAlice(platform)) === to);
    }
  });
  expect([...refusals]).toEqual([]);
});

it("a master whose network is cut costs some 503", async () => {
  await gateway.surviving("cluster: a master whose network is cut costs some 503", async (load) => {
    const master = await masterOfAlice();
    master.freeze();
    try {
      await load.further(4);
    } finally {
      master.thaw();
    }
    await eventually("well again", isWell);
  });
});

it("a hash slot that no master has is what readiness says, until one has it again", async () => {
  const slot = String(await hashSlotOfAlice("whatsapp"));
  const holder = await masterOfAlice("whatsapp");
  const told = async (): Promise<string[]> => {
    const answers = await Promise.all(gateway.cluster.adminPorts.map((port) => request(`http://127.0.0.1:${port}/readyz`)));
    return answers.map(({ body }) => (body as { reasons: string[] }).reasons.join());
  };
  const sentence = /REDIS_URL names a cluster whose hash slots are not all served: 1 of 16384 have no master that answers/;
  for (const { client } of redis.nodes) await client.call("CLUSTER", "DELSLOTS", slot);
  try {
    await eventually("every process says so", async () => (await told()).every((reasons) => sentence.test(reasons)));
  } finally {
    await holder.client.call("CLUSTER", "ADDSLOTS", slot);
  }
  await eventually("well again", isWell);
  await eventually("ready again", async () => (await told()).every((reasons) => reasons === ""));
  for (const caller of Object.values(gateway.callers)) {
    await eventually("connected", async () => (await caller.record()).isConnected);
    expect(await caller.record()).toMatchObject({ qrcode: "" });
  }
});

it("no user may do what is not its own, on any node", async () => {
  expect(await notRefused(redis.nodes, redis.users)).toEqual([]);
});

it("forgets sessions that are deleted", () => gateway.deleteSessions());
