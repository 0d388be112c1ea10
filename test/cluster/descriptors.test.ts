import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { silentLog } from "../../shared/log/logger.js";
import { connectRedis } from "../../shared/redis/connect.js";
import { keys } from "../../shared/redis/keys.js";
import { loggedIn, request, type Caller } from "../harness/api.js";
import { eventually } from "../harness/eventually.js";
import { startGateway, type Gateway } from "../harness/gateway.js";
import { memberPid } from "../harness/member-pid.js";
import { metricOf, scrape } from "../harness/metrics.js";

let gateway: Gateway;
let alice: Caller;
beforeAll(async () => {
  gateway = await startGateway();
  alice = await loggedIn(gateway, "alice");
});
afterAll(() => gateway.stop());

const limit = (pid: number, most: string): void => void execFileSync("prlimit", ["--pid", String(pid), `--nofile=${most}`]);
it("a shard without a free file descriptor says so, lives on and works again", async () => {
  const pid = memberPid(gateway, "shard-1") ?? 0;
  const adminPort = gateway.shardPorts[0] ?? 0;
  const reasons = async (): Promise<string> =>
    ((await request(`http://127.0.0.1:${adminPort}/readyz`)).body as { reasons: string[] }).reasons.join("; ");
  const redis = await connectRedis(gateway.redisUrl, "writer", silentLog);
  const reporter = (await redis.zrange(keys.processesSeen, "0", "-1")).find((name) => name.startsWith("shard/shard-1/")) ?? "";
  const reported = (): Promise<string | null> => redis.zscore(keys.processesSeen, reporter);
  const used = new Set(readdirSync(`/proc/${pid}/fd`).map(Number));
  const lowestFree = Array.from({ length: used.size + 1 }, (_, fd) => fd).find((fd) => !used.has(fd)) ?? 0;
  limit(pid, `${lowestFree + 1}:`);
  try {
    await eventually("readiness says it", async () => (await reasons()).includes("file descriptors are exhausted"), 30_000);
    expect(metricOf(await scrape(adminPort), "gateway_process_descriptors_exhausted")).toBe(1);
    // No descriptor is left, not even the reserve of the admin port.
    limit(pid, "3:");
    for (let reports = 0; reports < 2; reports += 1) {
      const before = await reported();
      await eventually("another report", async () => (await reported()) !== before);
    }
    expect(memberPid(gateway, "shard-1")).toBe(pid);
  } finally {
    limit(pid, "10000:");
    redis.disconnect();
  }
  await eventually("ready", async () => (await reasons()) === "");
  expect(memberPid(gateway, "shard-1")).toBe(pid);
  expect((await alice.send("POST", "/message", { phone: "15550100002", type: "text", text: "hello" })).status).toBe(200);
});
