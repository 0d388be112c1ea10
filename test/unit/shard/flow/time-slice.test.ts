import { setImmediate as turn, setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { TimeSlice } from "../../../../shard/flow/time-slice.js";

const sliceMs = 10;

function burn(ms: number): void {
  for (const endsAt = performance.now() + ms; performance.now() < endsAt; );
}

/** Runs steps of `stepMs` without a real wait. Resolves with the longest run of steps in which the event loop had no turn. */
async function longestHold(slice: TimeSlice, steps: number, stepMs: number): Promise<number> {
  let [held, longest] = [0, 0];
  for (let step = 0; step < steps; step += 1) {
    if (slice.isSpent()) {
      await slice.yield();
      held = 0;
    }
    burn(stepMs);
    held += 1;
    longest = Math.max(longest, held);
    await Promise.resolve();
  }
  return longest;
}

describe("TimeSlice", () => {
  it("has work that never waits give the event loop its turns", async () => {
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 1);
    const longest = await longestHold(new TimeSlice(sliceMs), 300, 1);
    clearInterval(counting);
    expect(turns).toBeGreaterThan(10);
    // The slice already under way, the first whole slice, and a step that begins right before its end.
    expect(longest).toBeLessThanOrEqual(2 * sliceMs + 1);
  });

  it("does not delay callers after a pause, or occasional callers", async () => {
    const slice = new TimeSlice(sliceMs);
    for (let time = 0; time < 5; time += 1) {
      await sleep(2 * sliceMs);
      expect(slice.isSpent()).toBe(false);
    }
    // Each step runs in its own turn, and all of them together take several slices.
    for (let step = 0; step < 20; step += 1) {
      await turn();
      expect(slice.isSpent()).toBe(false);
      burn(sliceMs / 4);
    }
  });

  it("restarts with the yielded turn, for all its waiters", async () => {
    // Long enough for a moment in which the machine runs other processes.
    const longMs = 100;
    const slice = new TimeSlice(longMs);
    expect(slice.isSpent()).toBe(false);
    burn(longMs);
    expect(slice.isSpent()).toBe(true);
    const seen: boolean[] = [];
    await Promise.all([1, 2, 3].map(() => slice.yield().then(() => seen.push(slice.isSpent()))));
    expect(seen).toEqual([false, false, false]);
    burn(longMs);
    expect(slice.isSpent()).toBe(true);
  });

  it("lets waiters of one turn take several if they have more work", async () => {
    const slice = new TimeSlice(sliceMs);
    expect(slice.isSpent()).toBe(false);
    burn(sliceMs);
    let [turns, over] = [0, false];
    const counting = (async (): Promise<void> => {
      for (; !over; turns += 1) await turn();
    })();
    const work = async (): Promise<void> => {
      while (slice.isSpent()) await slice.yield();
      burn(sliceMs / 2);
    };
    await Promise.all(Array.from({ length: 20 }, work));
    over = true;
    await counting;
    // Twenty halves of a slice, two or three per turn.
    expect(turns).toBeGreaterThanOrEqual(6);
  });
});
