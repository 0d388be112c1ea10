import { describe, expect, it } from "vitest";
import { silentLog } from "../../../../shared/log/logger.js";
import { Backoff } from "../../../../shard/flow/backoff.js";
import { whenAborted } from "../../../../shard/flow/when-aborted.js";
import { type LoopPort, SessionLoop } from "../../../../shard/platform/session-loop.js";
import { eventually } from "../../../harness/eventually.js";

const timing = { backoffMinMs: 1, backoffMaxMs: 2, closeMs: 1_000 };

/** A port whose connections end as `script` says, and then stay. */
class Script implements LoopPort<string> {
  readonly steps: string[] = [];
  deleted = false;
  waitMs = 0;
  /** Connects only while it is open. */
  readonly gate = {
    open: true,
    /** Entered and not left. */
    inside: 0,
    enter: async (signal: AbortSignal): Promise<void> => {
      this.gate.inside += 1;
      await eventually("an open gate", () => this.gate.open || signal.aborted);
    },
    leave: (): void => void (this.gate.inside -= 1),
  };
  constructor(private readonly script: (string | Error)[]) {}
  async load(): Promise<void> {
    this.steps.push("load");
    this.throwNext();
  }
  async connect({ signal }: AbortController): Promise<string> {
    this.steps.push("connect");
    this.throwNext();
    const end = this.script.shift();
    if (typeof end === "string") return end;
    return whenAborted(signal).catch((reason: unknown) => (reason as Error).message);
  }
  async settle(end: string): Promise<number> {
    this.steps.push(`settle ${end}`);
    return this.waitMs;
  }
  async startOver(): Promise<void> {
    this.steps.push("start over");
  }
  async finish(): Promise<void> {
    this.steps.push("finish");
  }
  private throwNext(): void {
    const [next] = this.script;
    if (!(next instanceof Error)) return;
    this.script.shift();
    throw next;
  }
}

function running(script: (string | Error)[]): { port: Script; loop: SessionLoop<string>; end: AbortController; ran: Promise<void> } {
  const port = new Script(script);
  const loop = new SessionLoop(port, timing, silentLog, port.gate);
  const end = new AbortController();
  return { port, loop, end, ran: loop.run(end.signal) };
}

describe("SessionLoop", () => {
  it("connects again after each end, and lets its owner's signal end it", async () => {
    const { port, end, ran } = running(["lost", "restart"]);
    await eventually("the third connection", () => port.steps.filter((step) => step === "connect").length === 3);
    end.abort(new Error("stopped"));
    await ran;
    expect(port.steps).toEqual(["load", "connect", "settle lost", "connect", "settle restart", "connect", "finish"]);
  });
  it("goes on after errors of its port, and loads until it has succeeded once", async () => {
    const { port, loop, ran } = running([new Error("store is away"), new Error("store is away again"), "lost"]);
    await eventually("the connection that stays", () => port.steps.filter((step) => step === "connect").length === 2);
    await loop.close(new Error("closed"));
    await ran;
    expect(port.steps).toEqual(["load", "load", "load", "connect", "settle lost", "connect", "finish"]);
  });
  it("starts over for who asks, from a living connection or out of a pause", async () => {
    const { port, loop, end, ran } = running([]);
    await eventually("the connection", () => port.steps.includes("connect"));
    port.waitMs = 60_000;
    await loop.reset(new Error("reset"), async () => void port.steps.push("log out"));
    expect(port.steps.slice(0, 5)).toEqual(["load", "connect", "log out", "settle reset", "start over"]);
    end.abort();
    await ran;
  });
  it("answers who waits for a new start when the session ends instead", async () => {
    const { port, loop, ran } = running([]);
    await eventually("the connection", () => port.steps.includes("connect"));
    port.deleted = true;
    await loop.reset(new Error("reset"), () => Promise.resolve());
    await ran;
    expect(port.steps).not.toContain("start over");
  });
  it("connects when the gate lets it, leaves after each connection, and can be told to start over or to end in front of it", async () => {
    const port = new Script(["lost"]);
    port.gate.open = false;
    const loop = new SessionLoop(port, timing, silentLog, port.gate);
    const ran = loop.run(new AbortController().signal);
    await eventually("a session in front of the gate", () => port.gate.inside === 1);
    expect(port.steps).toEqual(["load"]);
    await loop.reset(new Error("reset"), () => Promise.resolve());
    expect(port.steps).toContain("start over");
    port.gate.open = true;
    await eventually("the connection that stays", () => port.steps.at(-1) === "connect" && port.steps.includes("settle lost"));
    expect(port.gate.inside).toBe(1);
    await loop.close(new Error("closed"));
    await ran;
    expect(port.gate.inside).toBe(0);
  });
  it("connects nothing when it is over before it began", async () => {
    const port = new Script([]);
    await new SessionLoop(port, timing, silentLog, port.gate).run(AbortSignal.abort());
    expect(port.steps).toEqual(["finish"]);
  });
});

describe("Backoff", () => {
  it("doubles its bound with each failure up to the longest, and begins anew", () => {
    const backoff = new Backoff({ backoffMinMs: 1_000, backoffMaxMs: 60_000 });
    const bounds = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000];
    for (const bound of bounds) {
      const ms = backoff.afterFailure();
      expect(ms).toBeGreaterThanOrEqual(0);
      expect(ms).toBeLessThanOrEqual(bound);
    }
    expect(backoff.afterFailure(true)).toBeLessThanOrEqual(1_000);
    expect(backoff.afterFailure()).toBeLessThanOrEqual(2_000);
    backoff.reset();
    expect(backoff.afterFailure()).toBeLessThanOrEqual(1_000);
    expect(backoff.pauseMs(5_000)).toBeLessThanOrEqual(60_000);
  });
});
