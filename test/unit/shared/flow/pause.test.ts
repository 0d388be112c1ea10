import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { pause } from "../../../../shared/flow/pause.js";

it("ends with the first signal that aborts, and leaves nothing behind", async () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const ended = pause(Number.POSITIVE_INFINITY, first.signal, second.signal);
  second.abort();
  await ended;
  expect(getEventListeners(first.signal, "abort")).toEqual([]);
  await pause(Number.POSITIVE_INFINITY, first.signal, second.signal);
});

it("ends with its time, and leaves nothing behind", async () => {
  const { signal } = new AbortController();
  await pause(1, signal);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});
