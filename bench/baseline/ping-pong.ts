import typia from "typia";
import { Child } from "../child.js";
import type { Measurement } from "../compare.js";

export type PingPongMessage =
  /** The process that answers each command with `reply` from now on. */
  | { readonly kind: "answer"; readonly redisUrl: string; readonly reply: string }
  /** The process that asks: `inFlight` commands at once. */
  | { readonly kind: "ask"; readonly redisUrl: string; readonly command: string; readonly inFlight: number; readonly seconds: number }
  | { readonly kind: "cpu" };

/** Of one run. `latencies` in milliseconds, ascending. */
export interface Asked {
  readonly requests: number;
  readonly elapsedSeconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Streams of the baseline, on the gateway's own Redis: what its settings cost meets both. */
export const pingStream = "bench:ping";
export const pongStream = "bench:pong";
export const pingGroup = "bench";

/** What a command costs at the least: two processes that exchange texts over Redis streams as router and shard do, with nothing before, between and behind. */
export class PingPong {
  private constructor(
    private readonly redisUrl: string,
    private readonly asker: Child,
    private readonly answerer: Child,
  ) {}

  /** To be stopped by who started it. */
  static start(redisUrl: string, signal: AbortSignal): PingPong {
    const entry = "./baseline/ping-pong-process.js";
    return new PingPong(redisUrl, Child.start("ping", entry, signal), Child.start("pong", entry, signal));
  }

  async run({
    command,
    reply,
    inFlight,
    seconds,
  }: {
    command: string;
    reply: string;
    inFlight: number;
    seconds: number;
  }): Promise<Measurement> {
    await this.answerer.ask({ kind: "answer", redisUrl: this.redisUrl, reply }, answerMs);
    const before = await this.cpuSeconds();
    const { requests, elapsedSeconds, p50Ms, p99Ms } = isAsked(
      await this.asker.ask({ kind: "ask", redisUrl: this.redisUrl, command, inFlight, seconds }, seconds * 1000 + answerMs),
    );
    const cpuMicrosPerRequest = (((await this.cpuSeconds()) - before) * 1e6) / requests;
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
    await Promise.all([this.asker.stop(), this.answerer.stop()]);
  }

  private async cpuSeconds(): Promise<number> {
    const both = await Promise.all(
      [this.asker, this.answerer].map(async (child) => isCpu(await child.ask({ kind: "cpu" }, answerMs)).cpuSeconds),
    );
    return both.reduce((sum, one) => sum + one, 0);
  }
}

const answerMs = 15_000;
const isAsked = typia.createAssert<Asked>();
const isCpu = typia.createAssert<{ cpuSeconds: number }>();
