import { pause } from "../../shared/flow/pause.js";
import type { Log } from "../../shared/log/logger.js";
import type { RedisAddress } from "../../shared/redis/address.js";
import { connectRedis, type RedisClient } from "../../shared/redis/connect.js";
import { infoFields, type InfoFields } from "../../shared/redis/info-fields.js";
import { keys } from "../../shared/redis/keys.js";
import { script } from "../../shared/redis/script.js";
import { integer } from "../../shared/redis/script-reply.js";
import { mastersOf } from "../../shared/redis/topology.js";
import { forgetGone } from "../../shared/session/gone-secrets.js";

/** `off`: there is no append-only file. `refused`: our Redis user lacks the permission, or the server does not know the command. */
export type RewriteOutcome = "done" | "off" | "refused" | "failed";

export interface RewriteMetrics {
  aofRewritten(outcome: RewriteOutcome): void;
}

export interface AofRewriterOptions {
  readonly redis: RedisClient;
  /** Address and user for the rewrite command; if absent, `redis` sends it. */
  readonly commandAddress: RedisAddress | undefined;
  /** Time between two rewrites in milliseconds; 0 disables rewrites. */
  readonly intervalMs: number;
  readonly metrics: RewriteMetrics;
  readonly log: Log;
  /** Shorter in tests. */
  readonly everyMs?: number;
}

const everyMs = 10_000;
const pollMs = 500;
/** Most time for one rewrite; gigabytes take minutes. */
const rewriteMaxMs = 3_600_000;

const claimRewrite = script<[gone: string, aof: string], [intervalMs: number], number>(
  new URL("./scripts/claim-rewrite.lua", import.meta.url),
  integer,
);

/**
 * Rewrites Redis' append-only file when it still holds secrets of deleted sessions, at most once per interval in the whole cluster. If a
 * shard dies meanwhile, another one rewrites an interval later.
 */
export class AofRewriter {
  private readonly stopped = new AbortController();
  private running: Promise<void> | undefined;

  constructor(private readonly options: AofRewriterOptions) {}

  start(): void {
    if (this.options.intervalMs > 0) this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    await this.running;
  }

  /** Never rejects. */
  private async run(): Promise<void> {
    const { signal } = this.stopped;
    while (!signal.aborted) {
      await this.poll().catch((error: unknown) => this.options.log.debug({ err: error }, "append-only file rewrite skipped"));
      await pause(this.options.everyMs ?? everyMs, signal);
    }
  }

  private async poll(): Promise<void> {
    const { redis, intervalMs, metrics, log } = this.options;
    const claimedAt = await claimRewrite(redis, [keys.goneSecrets, keys.aof], [intervalMs]);
    if (claimedAt === 0) return;
    const outcome = await this.rewrite();
    if (outcome === undefined) return;
    if (outcome === "done" || outcome === "off") {
      // Stored first: whoever reads that nothing is left in the file also reads since when.
      await redis.hset(keys.aof, "rewritten", claimedAt, "problem", "");
      await forgetGone(redis, claimedAt);
    } else {
      await redis.hset(keys.aof, "problem", outcome);
      log.warn({ outcome }, "append-only file rewrite failed, secrets of deleted sessions remain on disk");
    }
    metrics.aofRewritten(outcome);
  }

  /** Returns `undefined` when this process stops, or an hour passes, before the outcome is known. */
  private async rewrite(): Promise<RewriteOutcome | undefined> {
    const { redis, commandAddress: address, log } = this.options;
    const client = address === undefined ? redis : await connectRedis(address, "writer", log);
    try {
      let together: RewriteOutcome = "off";
      // One master after the other: parallel rewrites would need twice the memory.
      for (const master of mastersOf(client)) {
        const outcome = await this.rewriteOn(master);
        if (outcome === undefined || outcome === "refused" || outcome === "failed") return outcome;
        if (outcome === "done") together = "done";
      }
      return together;
    } finally {
      if (client !== redis) client.disconnect();
    }
  }

  private async rewriteOn(master: RedisClient): Promise<RewriteOutcome | undefined> {
    const before = await this.idle(master);
    if (before === undefined) return undefined;
    if (before["aof_enabled"] !== "1") return "off";
    try {
      await master.call("BGREWRITEAOF");
    } catch (error) {
      return /NOPERM|unknown command/i.test(String(error)) ? "refused" : "failed";
    }
    const after = await this.idle(master);
    if (after === undefined) return undefined;
    return after["aof_last_bgrewrite_status"] === "ok" ? "done" : "failed";
  }

  /**
   * Waits until no rewrite runs or is scheduled, then returns the server's persistence fields; `undefined` after an hour or when this
   * process stops.
   */
  private async idle(master: RedisClient): Promise<InfoFields | undefined> {
    const endsAt = performance.now() + rewriteMaxMs;
    while (performance.now() < endsAt) {
      const info = infoFields(await master.info("persistence"));
      if (info["aof_rewrite_in_progress"] !== "1" && info["aof_rewrite_scheduled"] !== "1") return info;
      await pause(pollMs, this.stopped.signal);
      if (this.stopped.signal.aborted) return undefined;
    }
    return undefined;
  }
}
