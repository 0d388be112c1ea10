import { expect, it } from "vitest";
import { capacityOf, model } from "../../../../../deploy/cli/capacity/capacity-of.js";

const mib = 1024 ** 2;
const shard = (sessions: number, memoryBytes: number) => ({ name: "shard-1", host: "h", sessions, memoryBytes });

it("goes by the benchmarks' figure while a shard has few sessions, and by its own once it has many", () => {
  const few = capacityOf([shard(2, 200 * mib)], 1_000 * mib, undefined);
  expect(few.shards[0]).toMatchObject({
    isMeasured: false,
    bytesPerSession: model.sessionBytes,
    more: Math.floor((800 * mib) / model.sessionBytes),
  });
  const many = capacityOf([shard(1_000, model.emptyBytes + 1_000 * 300 * 1024)], model.emptyBytes + 2_000 * 300 * 1024, undefined);
  expect(many.shards[0]).toMatchObject({ isMeasured: true, bytesPerSession: 300 * 1024, more: 1_000 });
});

it("has no room where the memory is used up, and adds up what shards have", () => {
  expect(capacityOf([shard(10, 300 * mib)], 200 * mib, undefined).more).toBe(0);
  const two = capacityOf([shard(10, 300 * mib), shard(5, 300 * mib)], 400 * mib, undefined);
  expect([two.sessions, two.more]).toEqual([15, 2 * Math.floor((100 * mib) / model.sessionBytes)]);
});

it.each([
  [{ usedBytes: 100 * mib, maxBytes: 0 }, 1_000, { more: null }],
  [{ usedBytes: 100 * mib, maxBytes: 1_000 * mib }, 10, { more: null, bytesPerSession: null }],
  [{ usedBytes: 100 * mib, maxBytes: 1_000 * mib }, 1_000, { more: Math.floor((700 * mib) / Math.round(0.1 * mib)) }],
  [{ usedBytes: 900 * mib, maxBytes: 1_000 * mib }, 1_000, { more: 0 }],
])("Redis with %j and %i sessions has %j", (redis, sessions, expected) => {
  expect(capacityOf([shard(sessions, 200 * mib)], 1_000 * mib, redis).redis).toMatchObject(expected);
});
