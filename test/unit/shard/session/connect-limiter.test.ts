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
  function ask(limiter: ConnectLimiter, admitted: string[], names: readonly string[], who = anyone, signal?: AbortSignal): void {
    for (const name of names) void limiter.admit(name, who, signal ?? forever()).then(() => admitted.push(name));
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
      void limiter.admit(name, anyone, forever()).then(() => {
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
    ask(limiter, admitted, ["scanned"], urgent);
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

  it("lets fewer connect while the event loop is late, and more again when it keeps up", async () => {
    let lag = 2_000;
    const limiter = new ConnectLimiter(() => lag);
    let [running, most] = [0, 0];
    const connect = async (name: string): Promise<void> => {
      await limiter.admit(name, anyone, forever());
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
    ask(limiter, admitted, ["gone"], anyone, givesUp.signal);
    ask(limiter, admitted, ["next"]);
    await vi.advanceTimersByTimeAsync(1_000);
    givesUp.abort();
    expect(limiter.queued).toBe(1);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(admitted).toContain("next");
    limiter.stop();
  });

  /** Each admitted connect ends at once: 50 a second, in their order. */
  function connect(limiter: ConnectLimiter, began: string[], names: readonly string[], who: ConnectRequest): void {
    for (const name of names)
      void limiter.admit(name, who, forever()).then(() => {
        began.push(name);
        limiter.done(name);
      });
  }

  it("of thousands lets young accounts connect last, and those of them first that somebody waits for", async () => {
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

  it("has young accounts wait as long as others come, one by one, and is quick with those who come then", async () => {
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

  it("has a young account wait for a minute more at most, however many others come", async () => {
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

  it("keeps a young account waiting for nobody where nobody else waits", async () => {
    const limiter = new ConnectLimiter();
    const admitted: string[] = [];
    ask(limiter, admitted, names(3), young);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(admitted).toEqual(names(3));
    limiter.stop();
  });
});
