import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { endsWithin } from "../../../../shared/flow/ends-within.js";

const never = new Promise<never>(() => undefined);

it.each([
  ["that comes to its end", () => Promise.resolve(7)],
  ["that fails", () => Promise.reject(new Error("broken"))],
])("says so of work %s in time", async (_, work) => {
  expect(await endsWithin(work(), 60_000)).toBe(true);
});

it("waits no longer than its time, and the work may still fail", async () => {
  let fail: (error: Error) => void = () => undefined;
  const work = new Promise<never>((_, reject) => (fail = reject));
  expect(await endsWithin(work, 1)).toBe(false);
  fail(new Error("nobody hears of it"));
});

it("waits no longer than a signal lives", async () => {
  const stopping = new AbortController();
  const waiting = endsWithin(never, 60_000, new AbortController().signal, stopping.signal);
  stopping.abort();
  expect(await waiting).toBe(false);
  expect(await endsWithin(never, 60_000, AbortSignal.abort())).toBe(false);
});

it("leaves nothing behind at a signal that lives on", async () => {
  const { signal } = new AbortController();
  await endsWithin(Promise.resolve(), 60_000, signal);
  await endsWithin(never, 1, signal);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});
