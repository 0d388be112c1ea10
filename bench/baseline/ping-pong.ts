import typia from "typia";
import { Child } from "../child.js";
import type { Measurement } from "../compare.js";

export type PingPongMessage =
  /** Makes this process reply to each command with `reply` from now on. */
  | { readonly kind: "answer"; readonly redisUrl: string; readonly reply: string }
  /** Makes this process send commands. */
  | { readonly kind: "measure"; readonly redisUrl: string; readonly command: string; readonly load: PingPongLoad; readonly seconds: number }
  /** Makes this process wake at that rate without sending, to measure the cost of its own clock. */
  | { readonly kind: "idle"; readonly ratePerSecond: number; readonly seconds: number }
  | { readonly kind: "cpu" };

/**
 * `inFlight`: that many commands at once, each sent after the previous reply. `ratePerSecond`: an open loop, which sends at that rate
 * regardless of replies.
 */
export type PingPongLoad = { readonly inFlight: number } | { readonly ratePerSecond: number };

/** Result of one run. `latencies` are in milliseconds, ascending. */
export interface PingPongResult {
  readonly requests: number;
  readonly elapsedSeconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Streams of the baseline. They are on the gateway's own Redis, so that its settings cost both sides the same. */
export const pingStream = "bench:ping";
export const pongStream = "bench:pong";
export const pingGroup = "bench";

/** Measures the minimal cost of a command: two processes exchange texts over Redis streams, as router and shard do, with no other work. */
export class PingPong {
  private constructor(
    private readonly redisUrl: string,
    private readonly sender: Child<PingPongMessage>,
    private readonly answerer: Child<PingPongMessage>,
  ) {}

  /** Starts both processes. The caller must stop them. */
  static start(redisUrl: string, signal: AbortSignal): PingPong {
    const entry = "./baseline/ping-pong-process.js";
    return new PingPong(redisUrl, Child.start<PingPongMessage>("ping", entry, signal), Child.start<PingPongMessage>("pong", entry, signal));
  }

  /**
   * Without `ratePerSecond`, runs as fast as `inFlight` commands at once allow. At a rate, the clock of the sending process is subtracted
   * from the CPU time, because a router has none.
   */
  async run({
    command,
    reply,
    inFlight,
    seconds,
    ratePerSecond,
  }: {
    command: string;
    reply: string;
    inFlight: number;
    seconds: number;
    ratePerSecond?: number;
  }): Promise<Measurement> {
    await this.answerer.request({ kind: "answer", redisUrl: this.redisUrl, reply }, responseTimeoutMs);
    const load: PingPongLoad = ratePerSecond === undefined ? { inFlight } : { ratePerSecond };
    const clockShare = ratePerSecond === undefined ? 0 : await this.clockShare(ratePerSecond);
    const before = await this.cpuSeconds();
    const { requests, elapsedSeconds, p50Ms, p99Ms } = asResult(
      await this.sender.request({ kind: "measure", redisUrl: this.redisUrl, command, load, seconds }, seconds * 1000 + responseTimeoutMs),
    );
    const cpuSeconds = (await this.cpuSeconds()) - before - clockShare * elapsedSeconds;
    const cpuMicrosPerRequest = (cpuSeconds * 1e6) / requests;
    const bytes = requests * (Buffer.byteLength(command) + Buffer.byteLength(reply));
    return {
      requests,
      requestsPerSecond: requests / elapsedSeconds,
      bytesPerSecond: bytes / elapsedSeconds,
      p50Ms,
      p99Ms,
      loadCpuShare: 0,
      cpuMicrosPerRequest,
    };
  }

  async stop(): Promise<void> {
    await Promise.all([this.sender.stop(), this.answerer.stop()]);
  }

  /** CPU share of both processes while one of them wakes at that rate and does nothing. */
  private async clockShare(ratePerSecond: number): Promise<number> {
    const before = await this.cpuSeconds();
    await this.sender.request({ kind: "idle", ratePerSecond, seconds: clockSeconds }, clockSeconds * 1000 + responseTimeoutMs);
    return ((await this.cpuSeconds()) - before) / clockSeconds;
  }

  private async cpuSeconds(): Promise<number> {
    const both = await Promise.all(
      [this.sender, this.answerer].map(async (child) => isCpu(await child.request({ kind: "cpu" }, responseTimeoutMs)).cpuSeconds),
    );
    return both.reduce((sum, one) => sum + one, 0);
  }
}

const responseTimeoutMs = 15_000;
const clockSeconds = 2;
const asResult = typia.createAssert<PingPongResult>();
const isCpu = typia.createAssert<{ cpuSeconds: number }>();
