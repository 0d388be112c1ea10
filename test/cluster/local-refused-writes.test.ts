import { afterAll, beforeAll, expect, it } from "vitest";
import type { Platform } from "../../shared/contract/platform.js";
import { loggedIn, request, type ApiResponse, type Caller } from "../harness/api.js";
import { startCluster, type TestCluster } from "../harness/cluster.js";
import { eventually } from "../harness/eventually.js";

/** A Redis that accepts no writes, for a router and a shard in one process. Their messages keep no record otherwise. */
let cluster: TestCluster;
let callers: Readonly<Record<Platform, Caller>>;
beforeAll(async () => {
  cluster = await startCluster({ allInOne: true });
  callers = { whatsapp: await loggedIn(cluster, "alice", "whatsapp"), telegram: await loggedIn(cluster, "alice", "telegram") };
});
afterAll(() => cluster.stop());

const platforms = ["whatsapp", "telegram"] as const;
const phones: Readonly<Record<Platform, string>> = { whatsapp: "6281155501002", telegram: "15550100002" };
const text = (platform: Platform): Promise<ApiResponse> =>
  callers[platform].send("POST", "/message", { phone: phones[platform], type: "text", text: "hello" });
const reasons = async (port: number): Promise<string[]> =>
  ((await request(`http://127.0.0.1:${port}/readyz`)).body as { reasons: string[] }).reasons;

it("rejects messages with 503 once the process knows of it, serves reads, and sends messages afterwards", async () => {
  const shardPort = cluster.adminPorts[1] ?? 0;
  await cluster.redis.client.config("SET", "maxmemory", "1");
  try {
    await eventually("readiness says it", async () => (await reasons(shardPort)).includes("redis takes no writes: it is full"));
    for (const response of await Promise.all(platforms.map(text)))
      expect([response.status, response.body]).toEqual([503, { statusCode: 503, message: "storage unavailable" }]);
    expect((await callers.telegram.get("/group")).status).toBe(200);
  } finally {
    await cluster.redis.client.config("SET", "maxmemory", "0");
  }
  for (const platform of platforms) {
    await eventually("connected", async () => (await callers[platform].record()).isConnected);
    expect((await text(platform)).status).toBe(200);
  }
});
