import { expect, test } from "vitest";
import { Wake } from "../../../../shard/flow/wake.js";

test("a ring reaches the signal that waits for it, once", () => {
  const wake = new Wake();
  const first = wake.next();
  expect(first.aborted).toBe(false);
  wake.ring();
  expect(first.aborted).toBe(true);
  expect(wake.next().aborted).toBe(false);
});

test("a ring that nobody waited for is not lost", () => {
  const wake = new Wake();
  wake.ring();
  expect(wake.next().aborted).toBe(true);
  wake.ring();
  expect(wake.next().aborted).toBe(true);
  expect(wake.next().aborted).toBe(false);
});
