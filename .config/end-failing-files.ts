import { afterEach, beforeEach } from "vitest";

/** In minutes. If each test of a file timed out, the file would take longer than all others together. */
const failingMost = 6;

let failingMs = 0;
let startedAt = 0;

beforeEach(() => {
  if (failingMs > failingMost * 60_000)
    throw new Error(`not run: failed tests of this file have taken over ${String(failingMost)} minutes`);
  startedAt = performance.now();
});
afterEach(({ task }) => {
  if (task.result?.state === "fail") failingMs += performance.now() - startedAt;
});
