import { describe, expect, it } from "vitest";
import { openScope, untilAborted } from "../../../../shared/flow/abort-scope.js";
import { collectGarbage } from "../../../harness/collect-garbage.js";

describe("openScope", () => {
  it("ends at its deadline although nobody holds on to it and garbage is collected", async () => {
    const source = new AbortController();
    let reason: unknown;
    openScope([source.signal], 60, "late").signal.addEventListener("abort", (event) => (reason = (event.target as AbortSignal).reason));
    await collectGarbage();
    await expect.poll(() => reason).toBe("late");
  });
  it("ends with the first source, for that source's reason", () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const scope = openScope([first.signal, second.signal], 10_000, "late");
    second.abort("second");
    first.abort("first");
    expect(scope.signal.reason).toBe("second");
    scope.close();
  });
  it("has ended when a source had", () => {
    expect(openScope([AbortSignal.abort("gone")]).signal.reason).toBe("gone");
  });
  it("is not ended by what comes after it was closed", async () => {
    const source = new AbortController();
    const scope = openScope([source.signal], 20, "late");
    scope.close();
    source.abort("source");
    // A scope that is as long and was opened later: when it has ended, the other's time is over too.
    const later = openScope([], 20, "late");
    await expect.poll(() => later.signal.aborted).toBe(true);
    expect(scope.signal.aborted).toBe(false);
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
