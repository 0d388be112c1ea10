import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { writeReport, type ProcessReport } from "../../../../shared/cluster/process-report.js";
import { silentLog } from "../../../../shared/log/logger.js";
import { readSchema } from "../../../../shared/cluster/schema/schema-record.js";
import { newestSchema } from "../../../../shared/cluster/schema/schema-version.js";
import { SchemaRaiser } from "../../../../shard/cluster/schema-raiser.js";
import { eventually } from "../../../harness/eventually.js";
import { startRedis, type TestRedis } from "../../../harness/redis.js";

let redis: TestRedis;
let raiser: SchemaRaiser | undefined;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
beforeEach(() => redis.client.flushall());
afterEach(() => raiser?.stop());

const report = (role: ProcessReport["role"], name: string, schema?: number): Promise<void> =>
  writeReport(redis.client, { role, name, host: "h", version: "1", loopLagMs: 0, memoryBytes: 0, ...(schema !== undefined && { schema }) });
const raise = (shards: string[], unanimousMs: number): void => {
  raiser = new SchemaRaiser({
    redis: redis.client,
    schema: { written: newestSchema - 1 },
    shards: () => shards,
    everyMs: 5,
    unanimousMs,
    log: silentLog,
  });
  raiser.start();
};
/** Resolves after `count` more polls. */
const polls = async (count: number): Promise<void> => {
  const calls = async (): Promise<number> =>
    Number(/calls=(\d+)/.exec(/cmdstat_evalsha:.*/.exec(await redis.client.info("commandstats"))?.[0] ?? "")?.[1]);
  const before = await calls();
  await eventually("polls", async () => (await calls()) >= before + count);
};

describe("the newest schema", () => {
  it("is written once every process has been able to read it for a while", async () => {
    await report("shard", "s1", newestSchema);
    await report("router", "r1", newestSchema);
    raise(["s1"], 0);
    await eventually("raised", async () => (await readSchema(redis.client)) === newestSchema);
  });

  it.each<[string, () => Promise<void>, string[]]>([
    ["an outdated router runs", () => report("router", "r1"), ["s1"]],
    ["a live shard has not reported", () => Promise.resolve(), ["s1", "s2"]],
  ])("is not written while %s", async (_, also, shards) => {
    await report("shard", "s1", newestSchema);
    await also();
    raise(shards, 0);
    await polls(10);
    expect(await readSchema(redis.client)).toBeUndefined();
  });

  it("is not written before that time is over", async () => {
    await report("shard", "s1", newestSchema);
    raise(["s1"], 3_600_000);
    await polls(10);
    expect(await readSchema(redis.client)).toBeUndefined();
  });
});
