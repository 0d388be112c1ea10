import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LookUpPace } from "../../../../../shard/tenant/pace/look-up-pace.js";
import type { Rate } from "../../../../../shard/tenant/pace/rate.js";
import { TestContext } from "../../../../platform/session-context.js";

let context: TestContext;
let rate: Rate | undefined;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  context = new TestContext();
  rate = { intervalMs: 2_000, burst: 10 };
});
afterEach(() => void vi.useRealTimers());

/** Returns the pace as the next owner builds it from the stored state. */
const aPace = (): LookUpPace => new LookUpPace({ rate: () => rate, peers: context.peers });
const later = (ms: number): void => void vi.setSystemTime(Date.now() + ms);
const tooMany = (seconds: number): object => ({ status: 429, message: "too many requests", retryAfterSeconds: seconds });

it("a burst of numbers passes, in one request or in several", async () => {
  const pace = aPace();
  await pace.count(4);
  await pace.count(6);
  await expect(pace.count(1)).rejects.toMatchObject(tooMany(2));
  later(2_000);
  await pace.count(1);
});

it("a request that needs more than is left makes the next one wait, also at the next owner", async () => {
  await aPace().count(50);
  await expect(aPace().count(1)).rejects.toMatchObject(tooMany(82));
  later(82_000);
  await aPace().count(1);
});

it("a rejected request costs nothing", async () => {
  const pace = aPace();
  await pace.count(10);
  for (let time = 0; time < 5; time += 1) await expect(pace.count(50)).rejects.toMatchObject(tooMany(2));
  later(2_000);
  await pace.count(50);
});

it("without a rate nothing waits or is stored", async () => {
  rate = undefined;
  const pace = aPace();
  for (let time = 0; time < 5; time += 1) await pace.count(50);
  expect(context.storage.peers.size).toBe(0);
});

it("an instant far in the future, of a clock that was wrong, holds for one request at most", async () => {
  context.storage.peers.set("look-ups", String(Date.now() + 1e9));
  await expect(aPace().count(1)).rejects.toMatchObject(tooMany(102));
});
