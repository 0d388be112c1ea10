import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ConnectLimiter } from "../../../../shard/session/connect-limiter.js";

const forever = (): AbortSignal => new AbortController().signal;

describe("ConnectLimiter", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
  afterEach(() => void vi.useRealTimers());

  /** Names in the order of their admission. */
  function ask(limiter: ConnectLimiter, admitted: string[], names: readonly string[], urgent = false, signal?: AbortSignal): void {
    for (const name of names) void limiter.admit(name, urgent, signal ?? forever()).then(() => admitted.push(name));
  }
  const names = (count: number, prefix = "s"): string[] => Array.from({ length: count }, (_, i) => `${prefix}${i}`);

  it("lets 20 connect at once, and the next when one is done", async () => {
    const limiter = new ConnectLimiter();
    const admitted: string[] = [];
    ask(limiter, admitted, names(30));
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
      void limiter.admit(name, false, forever()).then(() => {
        begun += 1;
        limiter.done(name);
      });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(begun).toBeGreaterThanOrEqual(95);
    expect(begun).toBeLessThanOrEqual(155);
    limiter.stop();
  });

  it("lets those go first that somebody waits for", async () => {
    const limiter = new ConnectLimiter();
    const admitted: string[] = [];
    ask(limiter, admitted, names(25));
    ask(limiter, admitted, ["scanned"], true);
    await vi.advanceTimersByTimeAsync(2_000);
    limiter.hurry("s24");
    limiter.done("s0");
    limiter.done("s1");
    await vi.advanceTimersByTimeAsync(2_000);
    expect(admitted).toContain("scanned");
    expect(admitted).toContain("s24");
    expect(admitted).toHaveLength(22);
    limiter.stop();
  });

  it("lets fewer connect while the event loop is late, and more again when it keeps up", async () => {
    let lag = 2_000;
    const limiter = new ConnectLimiter(() => lag);
    let [running, most] = [0, 0];
    const connect = async (name: string): Promise<void> => {
      await limiter.admit(name, false, forever());
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      running -= 1;
      limiter.done(name);
    };
    for (const name of names(2_000)) void connect(name);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(limiter.allowed).toBe(2);
    most = 0;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(most).toBe(2);
    lag = 10;
    await vi.advanceTimersByTimeAsync(20_000);
    expect(limiter.allowed).toBe(20);
    expect(running).toBe(20);
    limiter.stop();
  });

  it("counts a connect that says nothing for 15 s as under way while everything is late", async () => {
    let lag = 2_000;
    const limiter = new ConnectLimiter(() => lag);
    const admitted: string[] = [];
    ask(limiter, admitted, names(4));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(limiter.connecting).toBe(4);
    lag = 10;
    await vi.advanceTimersByTimeAsync(16_000);
    expect(limiter.connecting).toBe(0);
    limiter.stop();
  });

  it("forgets who gives up, and counts a connect that says nothing for 15 s no longer", async () => {
    const limiter = new ConnectLimiter();
    const admitted: string[] = [];
    ask(limiter, admitted, names(20));
    const givesUp = new AbortController();
    ask(limiter, admitted, ["gone"], false, givesUp.signal);
    ask(limiter, admitted, ["next"]);
    await vi.advanceTimersByTimeAsync(1_000);
    givesUp.abort();
    expect(limiter.queued).toBe(1);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(admitted).toContain("next");
    limiter.stop();
  });
});
