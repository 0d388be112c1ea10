import { expect, test } from "vitest";
import { Notifier } from "../../../../shard/flow/notifier.js";

test("a notification reaches the signal that waits for it, once", () => {
  const notifier = new Notifier();
  const first = notifier.next();
  expect(first.aborted).toBe(false);
  notifier.notify();
  expect(first.aborted).toBe(true);
  expect(notifier.next().aborted).toBe(false);
});

test("keeps a notification without a waiter", () => {
  const notifier = new Notifier();
  notifier.notify();
  expect(notifier.next().aborted).toBe(true);
  notifier.notify();
  expect(notifier.next().aborted).toBe(true);
  expect(notifier.next().aborted).toBe(false);
});
