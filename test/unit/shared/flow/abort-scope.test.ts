import { describe, expect, it } from "vitest";
import { AbortScope, signalOf, untilAborted } from "../../../../shared/flow/abort-scope.js";
import { collectGarbage } from "../../../harness/collect-garbage.js";

describe("AbortScope", () => {
  it("ends once, for its first reason, and calls each listener that is still registered", () => {
    const scope = new AbortScope();
    const told: string[] = [];
    const gone = (): void => void told.push("gone");
    const late = (): void => void told.push("late");
    scope.addEventListener("abort", gone);
    scope.addEventListener("abort", () => told.push("one"));
    scope.addEventListener("abort", () => {
      told.push("two");
      scope.removeEventListener("abort", late);
    });
    scope.addEventListener("abort", late);
    scope.removeEventListener("abort", gone);
    expect([scope.aborted, scope.reason]).toEqual([false, undefined]);
    expect(() => scope.throwIfAborted()).not.toThrow();
    scope.abort("first");
    scope.abort("second");
    expect([scope.aborted, scope.reason, told]).toEqual([true, "first", ["one", "two"]]);
    expect(() => scope.throwIfAborted()).toThrow("first");
  });
  it("is a signal too, and a signal is its own", () => {
    const scope = new AbortScope();
    const signal = signalOf(scope);
    scope.abort("over");
    expect([signal.aborted, signal.reason]).toEqual([true, "over"]);
    expect(signalOf(signal)).toBe(signal);
  });
  it("has a reason also where none is given", () => {
    const scope = new AbortScope();
    scope.abort();
    expect(scope.reason).toMatchObject({ name: "AbortError" });
    expect(scope.signal.reason).toBe(scope.reason);
  });
  it("ends its signal for the same reason, whether that was read before or is read later", () => {
    const scope = new AbortScope();
    const { signal } = scope;
    expect(signal.aborted).toBe(false);
    scope.abort("first");
    expect([signal.reason, scope.signal]).toEqual(["first", signal]);
    const over = new AbortScope([AbortSignal.abort("gone")]);
    expect(over.signal.reason).toBe("gone");
  });
  it("ends its signal at the deadline although nobody holds the scope and garbage is collected", async () => {
    const source = new AbortController();
    let reason: unknown;
    new AbortScope([source.signal], 60, "late").signal.addEventListener(
      "abort",
      (event) => (reason = (event.target as AbortSignal).reason),
    );
    await collectGarbage();
    await expect.poll(() => reason).toBe("late");
  });
  it("ends with the first of its sources, scope or signal, for that source's reason", () => {
    const [light, real] = [new AbortScope(), new AbortController()];
    const scope = new AbortScope([light, real.signal], 10_000, "late");
    real.abort("real");
    light.abort("light");
    expect([scope.reason, scope.signal.reason]).toEqual(["real", "real"]);
    scope.close();
  });
  it("ends at its deadline", async () => {
    const scope = new AbortScope([], 5);
    await expect.poll(() => scope.reason).toMatchObject({ name: "TimeoutError" });
  });
  it("is not ended by what comes after it was closed", async () => {
    const source = new AbortController();
    const scope = new AbortScope([source.signal], 20, "late");
    scope.close();
    source.abort("source");
    // A later scope of the same length. Once it has ended, the first scope's time is over, too.
    const later = new AbortScope([], 20, "late");
    await expect.poll(() => later.signal.aborted).toBe(true);
    expect([scope.aborted, scope.signal.aborted]).toEqual([false, false]);
  });
});

describe("untilAborted", () => {
  it("gives the work's outcome, or the signal's reason when that is first", async () => {
    const end = new AbortController();
    expect(await untilAborted(Promise.resolve(5), end.signal)).toBe(5);
    const waiting = untilAborted(new Promise(() => undefined), end.signal);
    end.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
  });
});
