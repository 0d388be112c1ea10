import { describe, expect, it } from "vitest";
import { End } from "../../../../shared/flow/end.js";

describe("End", () => {
  it("ends once, for its first reason, and tells each listener that is still there", () => {
    const end = new End();
    const told: string[] = [];
    const gone = (): void => void told.push("gone");
    end.addEventListener("abort", gone);
    end.addEventListener("abort", () => told.push("one"));
    end.addEventListener("abort", () => {
      told.push("two");
      end.removeEventListener("abort", gone);
    });
    end.removeEventListener("abort", gone);
    expect([end.aborted, end.reason]).toEqual([false, undefined]);
    expect(() => end.throwIfAborted()).not.toThrow();
    end.abort("first");
    end.abort("second");
    expect([end.aborted, end.reason, told]).toEqual([true, "first", ["one", "two"]]);
    expect(() => end.throwIfAborted()).toThrow("first");
  });
  it("has a reason also where none is given", () => {
    const end = new End();
    end.abort();
    expect(end.reason).toMatchObject({ name: "AbortError" });
  });
  it("ends with the first of its sources, light or not, for that source's reason", () => {
    const [light, real] = [new End(), new AbortController()];
    const end = new End([light, real.signal], 10_000);
    real.abort("real");
    light.abort("light");
    expect(end.reason).toBe("real");
    end.close();
    expect(new End([AbortSignal.abort("before")]).reason).toBe("before");
  });
  it("ends at its deadline", async () => {
    const end = new End([], 5);
    await expect.poll(() => end.reason).toMatchObject({ name: "TimeoutError" });
  });
  it("is not ended by what comes after it was closed, and leaves no listener behind", async () => {
    const source = new AbortController();
    const end = new End([source.signal], 20);
    end.close();
    source.abort("source");
    const later = new End([], 20);
    await expect.poll(() => later.aborted).toBe(true);
    expect(end.aborted).toBe(false);
  });
});
