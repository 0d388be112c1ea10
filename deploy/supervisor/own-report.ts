import { residentBytes } from "../../shared/process/resident-bytes.js";
import { ProcessReporter } from "../../shared/cluster/process-reporter.js";
import { LoopLag } from "../../shared/flow/loop-lag.js";
import { pause } from "../../shared/flow/pause.js";
import type { Log } from "../../shared/log/logger.js";
import { version } from "../../shared/process/version.js";
import type { RedisAddress } from "../../shared/redis/address.js";
import { connectRedis, type RedisClient } from "../../shared/redis/connect.js";

export interface OwnReportOptions {
  /** Name of the child. */
  readonly name: string;
  readonly host: string;
  readonly address: RedisAddress;
  readonly log: Log;
}

/** Interval between connection attempts while Redis does not respond. */
const againMs = 5_000;
/** Time limit for removing the report, which expires by itself anyway. */
const withdrawMs = 2_000;

/**
 * Reports a container's supervisor to operators over a connection of its own, so that neither its start nor its work for the child waits
 * for Redis.
 */
export class OwnReport {
  private readonly ended = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly options: OwnReportOptions) {}

  start(): void {
    this.running = this.run();
  }

  /** Never rejects. */
  async stop(): Promise<void> {
    this.ended.abort();
    await Promise.race([this.running, pause(withdrawMs)]);
  }

  private async run(): Promise<void> {
    const redis = await this.connected();
    if (redis === undefined) return;
    const { name, host, log } = this.options;
    const loopLag = new LoopLag();
    const reporter = new ProcessReporter({
      redis,
      report: () => ({
        role: "supervisor",
        name: `${name}-supervisor`,
        host,
        version,
        loopLagMs: Math.round(loopLag.ms),
        memoryBytes: residentBytes(),
      }),
      log,
    });
    loopLag.start();
    reporter.start();
    await pause(Number.POSITIVE_INFINITY, this.ended.signal);
    await reporter.stop();
    loopLag.stop();
    redis.disconnect();
  }

  /** Resolves with `undefined` if the supervisor stops first. */
  private async connected(): Promise<RedisClient | undefined> {
    while (!this.ended.signal.aborted) {
      try {
        return await connectRedis(this.options.address, "writer", this.options.log);
      } catch {
        await pause(againMs, this.ended.signal);
      }
    }
    return undefined;
  }
}
