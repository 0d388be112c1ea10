import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LineBudget, linesSkipped } from "../../../../shared/log/line-budget.js";
import { silentLog } from "../../../../shared/log/logger.js";

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it("lets a number of lines pass per second, and logs and counts the others", () => {
  const warn = vi.spyOn(silentLog, "warn");
  const before = linesSkipped();
  const budget = new LineBudget(silentLog, "failed requests", 2);
  expect([budget.take(), budget.take(), budget.take(), budget.take()]).toEqual([true, true, false, false]);
  vi.advanceTimersByTime(1_000);
  expect(warn.mock.calls).toEqual([[{ what: "failed requests", count: 2 }, "log lines skipped"]]);
  expect(linesSkipped() - before).toBe(2);
  expect(budget.take()).toBe(true);
  vi.advanceTimersByTime(1_000);
  expect(warn).toHaveBeenCalledTimes(1);
});

it("logs one summary a second and no other line while more come than one a second", () => {
  const warn = vi.spyOn(silentLog, "warn");
  const what = "redis write rejections";
  const budget = new LineBudget(silentLog, what, 1);
  expect([budget.take(), budget.take()]).toEqual([true, false]);
  vi.advanceTimersByTime(1_000);
  expect([budget.take(), budget.take()]).toEqual([false, false]);
  vi.advanceTimersByTime(1_000);
  expect(warn.mock.calls).toEqual([
    [{ what, count: 1 }, "log lines skipped"],
    [{ what, count: 2 }, "log lines skipped"],
  ]);
  vi.advanceTimersByTime(1_000);
  expect(budget.take()).toBe(true);
});
