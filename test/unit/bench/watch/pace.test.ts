import { expect, it } from "vitest";
import { keepPace } from "../../../../bench/watch/pace.js";

it("goes on over failures, leaves out what would be too many at once, and waits for the last", async () => {
  const end = new AbortController();
  const errors: unknown[] = [];
  const began: number[] = [];
  const waiting: (() => void)[] = [];
  const paced = keepPace(
    {
      name: "test",
      perSecond: 500,
      atOnce: 2,
      task: async (turn) => {
        began.push(turn);
        if (turn === 0) throw new Error("first fails");
        await new Promise<void>((resolve) => waiting.push(resolve));
      },
    },
    (error) => errors.push(error),
    end.signal,
  );
  while (waiting.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  // While two calls run, further ones are skipped until one ends.
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(waiting).toHaveLength(2);
  waiting[0]?.();
  while (waiting.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
  end.abort();
  let ended = false;
  void paced.then(() => (ended = true));
  // No event reports that the loop is still running.
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(ended).toBe(false);
  for (const resolve of waiting) resolve();
  await paced;
  expect(errors).toEqual([new Error("first fails")]);
  expect(began.at(-1)).toBeGreaterThan(5);
});
