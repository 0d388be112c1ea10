import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { drain, pin, readMarks, readPin, undrain, unpin } from "../../../../shared/cluster/operator-marks.js";
import { startRedis, type TestRedis } from "../../../harness/redis.js";

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
beforeEach(() => redis.client.flushall());

describe("drain", () => {
  it.each<[string, string[], string, string[], boolean]>([
    ["one of two", [], "a", ["a", "b"], true],
    ["the only one", [], "a", ["a"], false],
    ["the last that is not drained", ["a"], "b", ["a", "b"], false],
    ["one that is drained already", ["a"], "a", ["a", "b"], true],
    ["one that is dead, while another is active", [], "a", ["b"], true],
    ["one that is dead, while nobody is active", [], "a", [], false],
  ])("%s", async (_, drained, member, active, done) => {
    for (const name of drained) await redis.client.sadd("drained", name);
    expect(await drain(redis.client, member, active)).toBe(done);
    const marks = await readMarks(redis.client);
    expect([...marks.drained].sort()).toEqual([...new Set(done ? [...drained, member] : drained)].sort());
  });

  it("leaves one when operators drain all at once", async () => {
    const active = ["a", "b", "c", "d"];
    const done = await Promise.all(active.map((member) => drain(redis.client, member, active)));
    expect(done.filter((each) => each)).toHaveLength(3);
    expect((await readMarks(redis.client)).drained.size).toBe(3);
  });

  it("is taken back", async () => {
    await drain(redis.client, "a", ["a", "b"]);
    await undrain(redis.client, "a");
    await undrain(redis.client, "a");
    expect((await readMarks(redis.client)).drained).toEqual(new Set());
  });
});

it("pins stand until they are taken out", async () => {
  await pin(redis.client, 7, "a");
  await pin(redis.client, 8, "a");
  await pin(redis.client, 7, "b");
  expect((await readMarks(redis.client)).pins).toEqual(
    new Map([
      [7, "b"],
      [8, "a"],
    ]),
  );
  await unpin(redis.client, 7);
  expect([await readPin(redis.client, 7), await readPin(redis.client, 8)]).toEqual([undefined, "a"]);
});
