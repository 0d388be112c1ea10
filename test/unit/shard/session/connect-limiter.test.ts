import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ConnectLimiter, type ConnectRequest } from "../../../../shard/session/connect-limiter.js";

const anyone: ConnectRequest = { isUrgent: false, isYoung: false };
const urgent: ConnectRequest = { isUrgent: true, isYoung: false };
const young: ConnectRequest = { isUrgent: false, isYoung: true };
const forever = (): AbortSignal => new AbortController().signal;

describe("ConnectLimiter", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
  afterEach(() => void vi.useRealTimers());

  /** Records the names in the order of their admission. */
  function admitAll(limiter: ConnectLimiter, admitted: string[], names: readonly string[], request = anyone, signal?: AbortSignal): void {
    for (const name of names) void limiter.admit(name, request, signal ?? forever()).then(() => admitted.push(name));
  }
  const names = (count: number, prefix = "s"): string[] => Array.from({ length: count }, (_, i) => `${prefix}${i}`);

  it("admits 20 connects at once, and the next when one is done", async () => {
    const limiter = new ConnectLimiter();
    const admitted: string[] = [];
    admitAll(limiter, admitted, names(30));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(admitted).toHaveLength(20);
    limiter.done("s3");
    limiter.done("s3");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(admitted).toHaveLength(21);
    expect(limiter.queued).toBe(9);
    limiter.stop();
  });

  it("begins 50 a second, however soon they are done", async () => {
    const limiter = new ConnectLimiter();
    let begun = 0;
    for (const name of names(500))
      void limiter.admit(name, anyone, forever()).then(() => {
        begun += 1;
        limiter.done(name);
      });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(begun).toBeGreaterThanOrEqual(95);
    expect(begun).toBeLessThanOrEqual(155);
    limiter.stop();
  });

  it("admits sessions first that a caller waits for", async () => {
    const limiter = new ConnectLimiter();
    const admitted: string[] = [];
    admitAll(limiter, admitted, names(25));
    admitAll(limiter, admitted, ["scanned"], urgent);
    await vi.advanceTimersByTimeAsync(2_000);
    limiter.prioritize("s24");
    limiter.done("s0");
    limiter.done("s1");
    await vi.advanceTimersByTimeAsync(2_000);
    expect(admitted).toContain("scanned");
    expect(admitted).toContain("s24");
    expect(admitted).toHaveLength(22);
    limiter.stop();
  });

  it("admits fewer connects while the event loop lags, and more again when it recovers", async () => {
    let lag = 2_000;
    const limiter = new ConnectLimiter(() => lag);
    let [running, peak] = [0, 0];
    const connect = async (name: string): Promise<void> => {
      await limiter.admit(name, anyone, forever());
      peak = Math.max(peak, ++running);
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      running -= 1;
      limiter.done(name);
    };
    for (const name of names(2_000)) void connect(name);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(limiter.allowed).toBe(2);
    peak = 0;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(peak).toBe(2);
    lag = 10;
    await vi.advanceTimersByTimeAsync(20_000);
    expect(limiter.allowed).toBe(20);
    expect(running).toBe(20);
    limiter.stop();
  });

  it("counts a connect without an outcome for 15 s as in progress while the event loop lags", async () => {
    let lag = 2_000;
    const limiter = new ConnectLimiter(() => lag);
    const admitted: string[] = [];
    admitAll(limiter, admitted, names(4));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(limiter.connecting).toBe(4);
    lag = 10;
    await vi.advanceTimersByTimeAsync(16_000);
    expect(limiter.connecting).toBe(0);
    limiter.stop();
  });

  it("forgets an aborted request, and no longer counts a connect without an outcome after 15 s", async () => {
    const limiter = new ConnectLimiter();
    const admitted: string[] = [];
    admitAll(limiter, admitted, names(20));
    const aborted = new AbortController();
    admitAll(limiter, admitted, ["gone"], anyone, aborted.signal);
    admitAll(limiter, admitted, ["next"]);
    await vi.advanceTimersByTimeAsync(1_000);
    aborted.abort();
    expect(limiter.queued).toBe(1);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(admitted).toContain("next");
    limiter.stop();
  });

  /** Each admitted connect ends at once: 50 a second, in their order. */
  function connect(limiter: ConnectLimiter, began: string[], names: readonly string[], request: ConnectRequest): void {
    for (const name of names)
      void limiter.admit(name, request, forever()).then(() => {
        began.push(name);
        limiter.done(name);
      });
  }

  it("admits young accounts last, except those that a caller waits for", async () => {
    const limiter = new ConnectLimiter();
    const began: string[] = [];
    connect(limiter, began, ["first"], anyone);
    connect(limiter, began, names(200, "young"), young);
    connect(limiter, began, names(1_000, "grown"), anyone);
    connect(limiter, began, ["scanned"], { isUrgent: true, isYoung: true });
    limiter.prioritize("young7");
    expect(limiter.yielding).toBe(199);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(began).toHaveLength(1_202);
    expect(began.indexOf("young7")).toBeLessThan(3);
    expect(began.indexOf("scanned")).toBeLessThan(3);
    expect(began.filter((name) => name.startsWith("grown"))).toEqual(names(1_000, "grown"));
    // The young accounts come after all others, in their own order.
    expect(began.slice(-199)).toEqual(names(200, "young").filter((name) => name !== "young7"));
    expect([limiter.queued, limiter.yielding]).toEqual([0, 0]);
    limiter.stop();
  });

  it("makes young accounts wait while others arrive, and admits the others at once", async () => {
    const limiter = new ConnectLimiter();
    const began: string[] = [];
    connect(limiter, began, ["other0"], anyone);
    connect(limiter, began, names(3, "young"), young);
    for (let time = 1; time <= 5; time += 1) {
      await vi.advanceTimersByTimeAsync(1_500);
      connect(limiter, began, [`other${time}`], anyone);
      await vi.advanceTimersByTimeAsync(100);
      expect(began).toEqual(names(time + 1, "other"));
    }
    await vi.advanceTimersByTimeAsync(1_800);
    expect(limiter.yielding).toBe(3);
    await vi.advanceTimersByTimeAsync(300);
    expect(began).toEqual([...names(6, "other"), ...names(3, "young")]);
    limiter.stop();
  });

  it("makes a young account wait a minute at peak, however many others arrive", async () => {
    const limiter = new ConnectLimiter();
    const began: string[] = [];
    connect(limiter, began, names(10, "before"), anyone);
    connect(limiter, began, ["young"], young);
    connect(limiter, began, names(6_000, "behind"), anyone);
    await vi.advanceTimersByTimeAsync(59_000);
    expect([began.includes("young"), limiter.yielding]).toEqual([false, 1]);
    await vi.advanceTimersByTimeAsync(3_000);
    // By now the young account is the first in the queue.
    expect([began.includes("young"), limiter.yielding]).toEqual([true, 0]);
    expect(limiter.queued).toBeGreaterThan(2_000);
    limiter.stop();
  });

  it("admits young accounts at once if no others wait", async () => {
    const limiter = new ConnectLimiter();
    const admitted: string[] = [];
    admitAll(limiter, admitted, names(3), young);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(admitted).toEqual(names(3));
    limiter.stop();
  });
});
