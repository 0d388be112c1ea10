import { expect, it } from "vitest";
import { Ticks } from "../../../../shared/flow/ticks.js";
import { eventually } from "../../../harness/eventually.js";

/** Returns the number of timers that would wake this process. */
const timers = (): number => process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;

it("has no timer before it starts, while there is nothing to do, and after it stops", () => {
  const before = timers();
  const ticks = new Ticks(10, () => true);
  ticks.start();
  expect(timers()).toBe(before);
  ticks.wake();
  ticks.wake();
  expect(timers()).toBe(before + 1);
  ticks.stop();
  ticks.wake();
  expect(timers()).toBe(before);
});

it("goes on while there is something to do, rests, and goes on again when it is woken", async () => {
  let [ticked, left] = [0, 3];
  const ticks = new Ticks(2, () => {
    ticked += 1;
    left -= 1;
    return left > 0;
  });
  // Work from before the start is done, too.
  ticks.wake();
  ticks.start();
  await eventually("a rest", () => ticked === 3);
  let beside = 0;
  const witness = new Ticks(2, () => ++beside < 20);
  witness.start();
  witness.wake();
  await eventually("ticks of another one", () => beside === 20);
  expect(ticked).toBe(3);
  left = 2;
  ticks.wake();
  await eventually("another rest", () => ticked === 5);
  ticks.stop();
  witness.stop();
});
