import { expect, it } from "vitest";
import { within } from "../../../../shared/flow/within.js";

const late = (): Error => new Error("late");

it("settles as the work does, when that comes in time", async () => {
  expect(await within(Promise.resolve(7), 60_000, late)).toBe(7);
  await expect(within(Promise.reject(new Error("broken")), 60_000, late)).rejects.toThrow("broken");
});

it("rejects when the time is over, and the work may still fail", async () => {
  let fail: (error: Error) => void = () => undefined;
  const work = new Promise<never>((_, reject) => (fail = reject));
  await expect(within(work, 1, late)).rejects.toThrow("late");
  fail(new Error("nobody hears of it"));
});
