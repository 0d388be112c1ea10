import { createHmac, randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { WholeChecks } from "../../../../shard/whatsapp/media/whole-checks.js";

const key = randomBytes(32);
const parts = [0, 1, 2, 3].map(() => randomBytes(64));
const mac = createHmac("sha256", key).update(Buffer.concat(parts)).digest().subarray(0, 10);
const altered = randomBytes(64);

let checks: WholeChecks;
const add = (chunk: number, bytes = parts[chunk] ?? altered): boolean =>
  checks.add("file", key, { chunk, bytes, mac: chunk === parts.length - 1 ? mac : undefined });

/** Lets time pass. The cache keeps the clock that it found when it was loaded. */
function pass(ms: number): void {
  const now = performance.now() + ms;
  vi.spyOn(performance, "now").mockReturnValue(now);
  vi.advanceTimersByTime(ms);
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  checks = new WholeChecks();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe("a file that is read after one of its parts was read alone", () => {
  beforeEach(() => {
    add(3);
    add(1, altered);
    pass(120_000);
  });

  it("is checked by the bytes of this reading alone", () => {
    expect([0, 1, 2, 3].map((chunk) => add(chunk))).toEqual([true, true, true, true]);
  });

  it("is refused when this reading has an altered last chunk", () => {
    expect([add(0), add(1), add(2), add(3, altered)]).toEqual([true, true, true, false]);
  });
});

it("a file whose first chunk was overtaken may be read as slowly as any other", () => {
  add(1);
  add(0);
  pass(120_000);
  expect([add(2), add(3, altered)]).toEqual([true, false]);
});
