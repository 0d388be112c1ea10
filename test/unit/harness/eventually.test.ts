import { describe, expect, it, vi } from "vitest";
import { eventually } from "../../harness/eventually.js";

describe("eventually", () => {
  it("returns the first value that a check gives", async () => {
    const values = [undefined, false, "", "there"] as const;
    let looks = 0;
    expect(await eventually("a value", () => values[looks++])).toBe("there");
  });
  it("rejects with what it waited for, and the last reason", async () => {
    const waiting = eventually("a value", () => Promise.reject(new Error("not yet")), 50);
    await expect(waiting).rejects.toMatchObject({ message: "did not happen within 50 ms: a value", cause: { message: "not yet" } });
  });
  it("rejects when a check asks something that hangs", async () => {
    vi.useFakeTimers();
    try {
      const waiting = eventually("an answer", () => new Promise<true>(() => undefined), 60_000);
      const ended = expect(waiting).rejects.toMatchObject({
        message: "did not happen within 60000 ms: an answer",
        cause: { message: "the last check did not end" },
      });
      await vi.advanceTimersByTimeAsync(61_000);
      await ended;
    } finally {
      vi.useRealTimers();
    }
  });
});
