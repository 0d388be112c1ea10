import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { Backoff } from "../../../../deploy/supervisor/backoff.js";
import { HangDetector } from "../../../../deploy/supervisor/hang-detector.js";
import { runQueueWaitMs } from "../../../../deploy/supervisor/run-queue-wait.js";

const limits = { stallMs: 10_000, startMs: 60_000, watchMs: 1_000 };

it("gives a start as long as it needs while it goes on", () => {
  const patience = new HangDetector(limits, 0);
  for (let minute = 1; minute <= 30; minute += 1) {
    patience.progress(minute * 55_000, "slots taken", minute);
    patience.beat(minute * 55_000 + 54_000);
    expect(patience.verdict(minute * 55_000 + 54_500)).toBeUndefined();
  }
});

it("ends a start that says the same again and again, or nothing at all", () => {
  const repeating = new HangDetector(limits, 0);
  for (let at = 0; at <= 60_000; at += 1_000) repeating.progress(at, "lease", 0);
  expect(repeating.verdict(60_001)).toBe("its start did not go on for 60 s after: lease");
  expect(new HangDetector(limits, 0).verdict(60_001)).toBe("its start did not go on for 60 s after: loading");
});

it("ends a child that said nothing for 10 s, ready or not, and none that is ready and only beats", () => {
  const starting = new HangDetector(limits, 0);
  starting.progress(1_000, "lease", 0);
  expect(starting.verdict(11_001)).toBe("it said nothing for 10 s");
  const ready = new HangDetector(limits, 0);
  ready.isReady(1_000);
  for (let at = 1_000; at < 300_000; at += 1_000) ready.beat(at);
  expect(ready.verdict(300_000)).toBeUndefined();
  expect(ready.verdict(309_001)).toBe("it said nothing for 10 s");
});

it("counts no time in which the child could not run or its messages could not be read", () => {
  const patience = new HangDetector(limits, 0);
  patience.isReady(0);
  for (let at = 1_000; at <= 120_000; at += 1_000) {
    patience.excuse(at, 950);
    expect(patience.verdict(at)).toBeUndefined();
  }
  for (let at = 121_000; at <= 126_000; at += 1_000) patience.excuse(at, 0);
  expect(patience.verdict(126_000)).toBe("it said nothing for 10 s");
});

it("starts again sooner only what was well for a while", () => {
  const backoff = new Backoff();
  expect([0, 0, 0, 0, 0, 0, 0, 0, 0].map((well) => backoff.next(well))).toEqual([
    200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000,
  ]);
  expect(backoff.next(59_000)).toBe(30_000);
  expect(backoff.next(60_000)).toBe(200);
});

it("knows for how long a process wanted to run and could not, and that a stopped one does not want to", async () => {
  // More processes than processors, so that they wait for each other.
  const busy = Array.from({ length: 5 }, () => spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }));
  const [stopped = 0, running = 0] = busy.map((child) => child.pid ?? 0);
  try {
    await expect.poll(() => runQueueWaitMs(stopped)).toBeGreaterThan(100);
    process.kill(stopped, "SIGSTOP");
    await expect.poll(() => readFileSync(`/proc/${stopped}/stat`, "latin1")).toMatch(/\) T /);
    const waited = runQueueWaitMs(stopped);
    const since = runQueueWaitMs(running);
    await expect.poll(() => runQueueWaitMs(running)).toBeGreaterThan(since + 200);
    expect(runQueueWaitMs(stopped)).toBe(waited);
  } finally {
    for (const child of busy) child.kill("SIGKILL");
  }
  await expect.poll(() => runQueueWaitMs(stopped)).toBe(0);
});
