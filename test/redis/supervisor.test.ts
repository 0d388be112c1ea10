import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MemberRow } from "../../router/admin/member-rows.js";
import { keys } from "../../shared/redis/keys.js";
import { silentLog } from "../../shared/log/logger.js";
import { connectRedis, type RedisClient } from "../../shared/redis/connect.js";
import { parseRedisAddress } from "../../shared/redis/address.js";
import { request, type ApiResponse } from "../harness/api.js";
import { eventually } from "../harness/eventually.js";
import { startGateway, type Gateway } from "../harness/gateway.js";
import type { RedisNode } from "../harness/redis-node.js";
import { startRedisCluster, startRedisSentinel, type Topology } from "../harness/redis-topologies.js";
import { GatewayOn } from "./gateway-on.js";

/**
 * Runs `npm start` with a topology as its Redis. The supervisor keeps its host name, reports itself, and buries dead members, also through
 * failovers.
 */
describe.each([
  { kind: "sentinel", startTopology: startRedisSentinel },
  { kind: "cluster", startTopology: startRedisCluster },
])("a supervisor on a $kind", ({ kind, startTopology }) => {
  let redis: Topology;
  let client: RedisClient;
  let host: Gateway;
  let gateway: GatewayOn;
  beforeAll(async () => {
    redis = await startTopology();
    const { operatorPassword } = redis.users;
    const sentinel: Record<string, string> =
      kind === "sentinel" ? { REDIS_SENTINEL_USERNAME: "gateway", REDIS_SENTINEL_PASSWORD: "secret" } : {};
    const mediaKeys = `a:${randomBytes(32).toString("base64")}`;
    const access = {
      password: operatorPassword,
      ...(kind === "sentinel" ? { sentinel: { username: "gateway", password: "secret" } } : {}),
    };
    client = await connectRedis({ ...parseRedisAddress(redis.url), access }, "writer", silentLog);
    const env = { REDIS_URL: redis.url, REDIS_PASSWORD: operatorPassword, ...sentinel, HOST_ID: "first", MEDIA_KEYS: mediaKeys };
    host = await startGateway({ env });
    gateway = await GatewayOn.of(host, mediaKeys);
  });
  afterAll(async () => {
    await host?.stop();
    client?.disconnect();
    await redis?.stop();
  });

  const origin = (): string => new URL(host.whatsapp[0] ?? "").origin;
  const admin = (method: string, path: string): Promise<ApiResponse> =>
    request(`${origin()}/admin${path}`, { method, headers: { "x-api-key": host.adminKey } });
  const members = async (): Promise<MemberRow[]> => ((await admin("GET", "/members")).body as { docs: MemberRow[] }).docs;
  const field = async (member: string, name: string): Promise<string> => (await client.hget(keys.member(member), name)) ?? "";
  /** Returns the master that holds the record of a member. */
  const masterOf = async (member: string): Promise<RedisNode> =>
    await eventually("its master", async () => {
      for (const node of redis.nodes.slice(0, kind === "sentinel" ? 2 : 6)) {
        const isMaster = await node.client.info("replication").then(
          (info) => info.includes("role:master"),
          () => false,
        );
        const has = isMaster && (await node.client.exists(keys.member(member)).catch(() => 0));
        if (has === 1) return node;
      }
      return undefined;
    });
  const kill = async (name: string): Promise<void> => void process.kill(await host.shardPid(name), "SIGKILL");
  /** Expects that the supervisor which saw the process end buried it, rather than a shard that waited for its lease. */
  const wasReaped = async (name: string, incarnation: string): Promise<void> => {
    const before = await eventually(`${name} in another life`, async () => {
      const [now, former, why] = await client.hmget(keys.member(name), "inc", "finc", "fwhy");
      return now != null && now !== incarnation ? [former, why] : undefined;
    });
    expect(before).toEqual([incarnation, "reaped"]);
  };

  it("tells of itself beside its processes", async () => {
    const rows = await members();
    expect(rows.map(({ host: where, name }) => `${where} ${name}`).sort()).toEqual([
      "first router-1",
      "first shard-1",
      "first shard-2",
      "first supervisor",
    ]);
  });

  it("buries a shard that is killed, and no caller is asked to log in again", async () => {
    await gateway.surviving(`supervisor on ${kind}: a shard that is killed`, async (load) => {
      const incarnation = await field("shard-1", "inc");
      await kill("shard-1");
      await wasReaped("shard-1", incarnation);
      await load.further(2);
    });
  });

  it("drains a shard, whose mark outlives a kill", async () => {
    expect(await admin("POST", "/members/shard-2/drain")).toMatchObject({ status: 200 });
    const isDrained = async (): Promise<boolean> => (await members()).find(({ name }) => name === "shard-2")?.state === "drained";
    await eventually("shard-2 without slots", isDrained);
    const incarnation = await field("shard-2", "inc");
    await kill("shard-2");
    await wasReaped("shard-2", incarnation);
    await eventually("drained in its next life", isDrained);
    expect(await admin("POST", "/members/shard-2/undrain")).toMatchObject({ status: 200 });
    await eventually("active", async () => (await members()).find(({ name }) => name === "shard-2")?.state === "active");
  });

  it("buries a shard that dies while the master is gone, and keeps its host's name", async () => {
    await gateway.surviving(`supervisor on ${kind}: a shard and a master that are killed`, async (load) => {
      const master = await masterOf("shard-1");
      const incarnation = await field("shard-1", "inc");
      await master.kill();
      const killedAt = performance.now();
      await kill("shard-1");
      await wasReaped("shard-1", incarnation);
      process.stdout.write(`a shard and its master killed: buried after ${((performance.now() - killedAt) / 1_000).toFixed(1)} s\n`);
      await load.further(2);
      await master.start();
    });
    await eventually("supervisor told of again", async () => (await members()).some(({ name }) => name === "supervisor"));
    expect(await eventually("the host's name", () => client.get(keys.hostClaim("first")).then((claim) => claim ?? ""))).not.toBe("");
  });

  it("stops in order: nothing of it is left that would have to be waited for", async () => {
    expect(await host.interrupt()).toBe(0);
    for (const name of ["shard-1", "shard-2"]) expect([name, await field(name, "st")]).toEqual([name, "gone"]);
    expect(await client.get(keys.hostClaim("first"))).toBeNull();
  });
});
