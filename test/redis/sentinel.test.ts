import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../harness/eventually.js";
import type { RedisNode } from "../harness/redis-node.js";
import { startRedisSentinel, type Topology } from "../harness/redis-topologies.js";
import { GatewayOn } from "./gateway-on.js";
import { isRefused, notRefused } from "./refused-to-users.js";

/**
 * Runs the gateway on a master and a replica that three Sentinels monitor. Each kind of process, the replica and the Sentinels have their
 * own users.
 */
let redis: Topology;
let gateway: GatewayOn;
beforeAll(async () => {
  redis = await startRedisSentinel();
  gateway = await GatewayOn.start({ REDIS_URL: redis.url }, redis.users.envOf(redis.url));
});
afterAll(async () => {
  await gateway.stop();
  await redis.stop();
});

const servers = (): readonly RedisNode[] => redis.nodes.slice(0, 2);
const watchers = (): readonly RedisNode[] => redis.nodes.slice(2);

async function master(): Promise<RedisNode> {
  return await eventually("a master", async () => {
    const told = await Promise.all(watchers().map(({ client }) => client.call("SENTINEL", "GET-MASTER-ADDR-BY-NAME", "logins")));
    const ports = new Set(told.map((address) => Number((address as string[])[1])));
    const [port, other] = ports;
    return other === undefined ? servers().find((node) => node.port === port) : undefined;
  });
}

const hasReplica = async (): Promise<boolean> => {
  const info = await (await master()).client.info("replication");
  return info.includes("connected_slaves:1") && info.includes("state=online");
};

it("lives a day", () => gateway.liveOneDay());

it("a master that is killed costs some 503", async () => {
  await gateway.surviving("sentinel: a master that is killed costs some 503", async (load) => {
    const before = await master();
    await before.kill();
    await load.further(4);
    await before.start();
    await eventually("a replica again", hasReplica);
    expect(await master()).not.toBe(before);
  });
});

it("a planned failover is followed", async () => {
  await gateway.surviving("sentinel: a planned failover is followed", async () => {
    const before = await master();
    await watchers()[0]?.client.call("SENTINEL", "FAILOVER", "logins");
    await eventually("another master", async () => (await master()) !== before);
    await eventually("a replica again", hasReplica);
  });
});

it("a master whose network is cut costs some 503", async () => {
  await gateway.surviving("sentinel: a master whose network is cut costs some 503", async (load) => {
    const before = await master();
    before.freeze();
    try {
      await load.further(4);
    } finally {
      before.thaw();
    }
    await eventually("a replica again", hasReplica);
  });
});

it("no user may do what is not its own, in the servers and in the Sentinels", async () => {
  expect(await notRefused(servers(), redis.users)).toEqual([]);
  for (const { port } of watchers()) {
    const gatewayUser = new Redis({ host: "127.0.0.1", port, username: "gateway", password: "secret", enableReadyCheck: false });
    try {
      for (const command of ["FAILOVER logins", "REMOVE logins", "SET logins quorum 1", "RESET *", "MASTERS", "CONFIG SET loglevel debug"])
        expect([command, await isRefused(gatewayUser, `SENTINEL ${command}`)]).toEqual([command, true]);
      expect(await isRefused(gatewayUser, "ACL LIST")).toBe(true);
    } finally {
      gatewayUser.disconnect();
    }
  }
});

it("forgets sessions that are deleted", () => gateway.deleteSessions());
