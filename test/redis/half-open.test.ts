import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { StreamReader } from "../../shared/bus/stream-reader.js";
import { silentLog } from "../../shared/log/logger.js";
import { connectRedis, type RedisClient } from "../../shared/redis/connect.js";
import { channels } from "../../shared/redis/keys.js";
import { claimPorts, type ClaimedPorts } from "../harness/claimed-ports.js";
import { eventually } from "../harness/eventually.js";
import { HalfOpenRelay } from "../harness/half-open-relay.js";
import { metricOf, scrape } from "../harness/metrics.js";
import { startRedisNode, type RedisNode } from "../harness/redis-node.js";
import { GatewayOn } from "./gateway-on.js";

/** A firewall, NAT or load balancer forgets a connection: it stays open for both sides, but nothing is transmitted. */
let ports: ClaimedPorts;
const stops: (() => Promise<void>)[] = [];
const relays: HalfOpenRelay[] = [];
let node: RedisNode;

const relayed = async (port: number, at: number): Promise<void> => {
  const relay = await HalfOpenRelay.start({ port }, at);
  relays.push(relay);
  stops.push(() => relay.stop());
};
const started = async (options: Parameters<typeof startRedisNode>[0]): Promise<RedisNode> => {
  const one = await startRedisNode(options);
  stops.push(() => one.stop());
  return one;
};

/** Each function starts its servers, with relays in front of those that hold keys, and returns their URL. */
const topologies = {
  "one server": async () => {
    node = await started({ port: ports.first });
    await relayed(ports.first, ports.first + 1);
    return `redis://127.0.0.1:${ports.first + 1}`;
  },
  Sentinel: async () => {
    node = await started({ port: ports.first });
    await relayed(ports.first, ports.first + 1);
    const config = [`sentinel monitor logins 127.0.0.1 ${ports.first + 1} 1`, "sentinel down-after-milliseconds logins 60000"];
    await started({ port: ports.first + 2, config, isSentinel: true });
    return `redis+sentinel://127.0.0.1:${ports.first + 2}/logins`;
  },
  "Redis Cluster": async () => {
    const config = [
      "cluster-enabled yes",
      "cluster-announce-ip 127.0.0.1",
      `cluster-port ${ports.first + 3}`,
      `cluster-announce-port ${ports.first + 1}`,
    ];
    node = await started({ port: ports.first, config });
    await node.client.call("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
    await eventually("a cluster that serves", async () => (await node.client.cluster("INFO")).includes("cluster_state:ok"));
    await relayed(ports.first, ports.first + 1);
    return `redis+cluster://127.0.0.1:${ports.first + 1}`;
  },
} as const;

describe.each(Object.entries(topologies))("connections that a firewall has forgotten, of %s", (_, start) => {
  let url: string;
  let client: RedisClient | undefined;

  beforeAll(async () => {
    ports = await claimPorts();
    url = await start();
  });
  afterAll(async () => {
    await Promise.all(stops.splice(0).map((stop) => stop()));
    relays.length = 0;
    ports.release();
  });

  const forgotten = async (role: Parameters<typeof connectRedis>[1]): Promise<RedisClient> => {
    client?.disconnect();
    client = await connectRedis(url, role, silentLog);
    return client;
  };
  const forget = (): void => relays.forEach((relay) => relay.forget());

  it.each(["writer", "heartbeat"] as const)("%s: commands are answered again", async (role) => {
    const redis = await forgotten(role);
    await redis.set("key", role);
    forget();
    await eventually("an answer", async () => (await redis.get("key")) === role, 20_000);
  });

  it("reader: what comes into a stream that it waits for is read", async () => {
    const read: string[] = [];
    const reader = new StreamReader({
      redis: await forgotten("reader"),
      stream: "stream",
      onEntry: ({ fields }) => read.push(String(fields.get("field"))),
      log: silentLog,
    });
    reader.start("0");
    await node.client.xadd("stream", "*", "field", "before");
    await eventually("the first entry", () => read.length === 1);
    forget();
    await node.client.xadd("stream", "*", "field", "after");
    await eventually("the entry", () => read.includes("after"), 20_000);
    await reader.stop();
  });

  it("subscriber: what is published afterwards is received, although nothing else was asked for", async () => {
    const redis = await forgotten("subscriber");
    const heard: string[] = [];
    redis.on("message", (_channel, message) => heard.push(message));
    await redis.subscribe(channels.slots);
    await redis.subscribe(channels.members);
    forget();
    await eventually(
      "a message",
      async () => {
        await node.client.publish(channels.members, "shard-1");
        return heard.includes("shard-1");
      },
      25_000,
    );
    expect(redis.status).toBe("ready");
  });
});

describe("the connection that hears of changes", () => {
  it("is replaced as well, so that its feed can be armed again", async () => {
    ports = await claimPorts();
    const url = await topologies["one server"]();
    const redis = await connectRedis(url, "invalidations", silentLog);
    try {
      let isClosed = false;
      redis.once("close", () => (isClosed = true));
      await redis.subscribe("__redis__:invalidate");
      relays.forEach((relay) => relay.forget());
      await eventually("an end", () => isClosed, 25_000);
      await eventually("a connection", () => redis.status === "ready", 20_000);
    } finally {
      redis.disconnect();
      await Promise.all(stops.splice(0).map((stop) => stop()));
      ports.release();
    }
  });
});

describe("a gateway all of whose connections to Redis a firewall has forgotten", () => {
  it("answers callers again when each has been replaced, and disconnects no session", async () => {
    ports = await claimPorts();
    const gateway = await GatewayOn.start({ REDIS_URL: await topologies["one server"]() });
    try {
      const ends = async (): Promise<number> =>
        (await Promise.all(gateway.cluster.adminPorts.map(scrape)))
          .map((text) =>
            ["whatsapp", "telegram"].reduce((sum, name) => sum + metricOf(text, `gateway_shard_${name}_connection_ends_total`), 0),
          )
          .reduce((sum, count) => sum + count, 0);
      const before = await ends();
      await gateway.surviving("half-open: all connections", async (load) => {
        relays.forEach((relay) => relay.forget());
        await load.further(4);
      });
      expect(await ends()).toBe(before);
    } finally {
      await gateway.stop();
      await Promise.all(stops.splice(0).map((stop) => stop()));
      ports.release();
    }
  });
});
