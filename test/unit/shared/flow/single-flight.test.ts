import { describe, expect, it } from "vitest";
import { SingleFlight } from "../../../../shared/flow/single-flight.js";

interface Started {
  resolve: (value: string) => void;
  reject: (error: Error) => void;
  signal: AbortSignal;
}

/** Returns a call that the test ends. */
function aCall(): { start: (signal: AbortSignal) => Promise<string>; started: Started[] } {
  const started: Started[] = [];
  return { started, start: (signal) => new Promise((resolve, reject) => started.push({ resolve, reject, signal })) };
}

const never = new AbortController().signal;

describe("SingleFlight", () => {
  it("runs one call for all who join", async () => {
    const calls = new SingleFlight<string>();
    const { start, started } = aCall();
    const all = Promise.all(Array.from({ length: 50 }, () => calls.join("k", start, new AbortController().signal)));
    expect(started).toHaveLength(1);
    started[0]?.resolve("x");
    expect(new Set(await all)).toEqual(new Set(["x"]));
    expect(calls.size).toBe(0);
  });

  it("keeps keys apart and does not keep outcomes", async () => {
    const calls = new SingleFlight<string>();
    const { start, started } = aCall();
    const one = calls.join("a", start, never);
    const two = calls.join("b", start, never);
    started[0]?.resolve("1");
    started[1]?.resolve("2");
    expect([await one, await two]).toEqual(["1", "2"]);
    void calls.join("a", start, never);
    expect(started).toHaveLength(3);
  });

  it("fails all who joined, then starts anew", async () => {
    const calls = new SingleFlight<string>();
    const { start, started } = aCall();
    const all = Promise.allSettled([calls.join("k", start, never), calls.join("k", start, never)]);
    started[0]?.reject(new Error("no"));
    expect((await all).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    void calls.join("k", start, never);
    expect(started).toHaveLength(2);
  });

  it("lets one caller leave without the others", async () => {
    const calls = new SingleFlight<string>();
    const { start, started } = aCall();
    const leaver = new AbortController();
    const left = calls.join("k", start, leaver.signal);
    const stays = calls.join("k", start, never);
    leaver.abort(new Error("gone"));
    await expect(left).rejects.toThrow("gone");
    expect(started[0]?.signal.aborted).toBe(false);
    started[0]?.resolve("x");
    expect(await stays).toBe("x");
  });

  it("ends the call when the last caller left; the next one does not join the dead call", async () => {
    const calls = new SingleFlight<string>();
    const { start, started } = aCall();
    const leaver = new AbortController();
    const left = calls.join("k", start, leaver.signal);
    leaver.abort(new Error("gone"));
    await expect(left).rejects.toThrow("gone");
    expect(started[0]?.signal.aborted).toBe(true);
    const next = calls.join("k", start, never);
    started[0]?.reject(new Error("aborted"));
    started[1]?.resolve("y");
    expect(await next).toBe("y");
    expect(calls.size).toBe(0);
  });

  it("refuses a caller that has left already", async () => {
    const { start, started } = aCall();
    await expect(new SingleFlight<string>().join("k", start, AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
    expect(started).toHaveLength(0);
  });
});
