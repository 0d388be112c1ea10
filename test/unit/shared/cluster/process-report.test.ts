import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readReports, reportsMax, writeReport, withdrawReport, type ProcessReport } from "../../../../shared/cluster/process-report.js";
import { keys } from "../../../../shared/redis/keys.js";
import { startRedis, type TestRedis } from "../../../harness/redis.js";

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
beforeEach(() => redis.client.flushall());

const report = (change: Partial<ProcessReport> = {}): ProcessReport => ({
  role: "router",
  name: "router-1",
  host: "h1",
  version: "1.2.3",
  loopLagMs: 3,
  memoryBytes: 1_000,
  ...change,
});
const told = async (): Promise<string[]> =>
  (await readReports(redis.client)).map(({ role, name, host }) => `${role}/${name}/${host}`).sort();

describe("reports", () => {
  it("are read as written, once per process, with their age", async () => {
    await writeReport(redis.client, report());
    await writeReport(redis.client, report({ loopLagMs: 9 }));
    const [row, ...others] = await readReports(redis.client);
    expect(others).toEqual([]);
    expect(row).toEqual({ ...report({ loopLagMs: 9 }), ageMs: expect.any(Number) as number });
  });

  it("distinguish processes of one name on two hosts", async () => {
    await writeReport(redis.client, report({ role: "supervisor", name: "supervisor", host: "h1" }));
    await writeReport(redis.client, report({ role: "supervisor", name: "supervisor", host: "h2" }));
    expect(await told()).toEqual(["supervisor/supervisor/h1", "supervisor/supervisor/h2"]);
    await withdrawReport(redis.client, { role: "supervisor", name: "supervisor", host: "h1" });
    expect(await told()).toEqual(["supervisor/supervisor/h2"]);
  });

  it("of a process that fell silent are neither shown nor kept", async () => {
    await writeReport(redis.client, report({ name: "router-1" }));
    await redis.client.zadd(keys.processesSeen, 1, "router/router-1/h1");
    expect(await told()).toEqual([]);
    await writeReport(redis.client, report({ name: "router-2" }));
    expect(await redis.client.hkeys(keys.processReports)).toEqual(["router/router-2/h1"]);
  });

  it("are bounded: past the most, those that were silent longest go", async () => {
    const now = Date.now();
    const names = Array.from({ length: reportsMax }, (_, i) => `router/old-${i}/h1`);
    await redis.client.zadd(keys.processesSeen, ...names.flatMap((name, i) => [now - reportsMax + i, name]));
    await redis.client.hset(keys.processReports, ...names.flatMap((name) => [name, "{}"]));
    await writeReport(redis.client, report());
    expect(await redis.client.zcard(keys.processesSeen)).toBe(reportsMax);
    expect(await redis.client.hlen(keys.processReports)).toBe(reportsMax);
    expect(await redis.client.hexists(keys.processReports, "router/old-0/h1")).toBe(0);
    expect(await redis.client.hexists(keys.processReports, "router/router-1/h1")).toBe(1);
  });

  it("of another version that are no reports of ours are left out", async () => {
    await writeReport(redis.client, report());
    await redis.client.hset(keys.processReports, "router/router-1/h1", "[]");
    expect(await told()).toEqual([]);
  });

  it("expire when their process stops reporting", async () => {
    await writeReport(redis.client, report());
    expect(await redis.client.pttl(keys.processesSeen)).toBeGreaterThan(0);
    expect(await redis.client.pttl(keys.processReports)).toBeGreaterThan(0);
  });
});
