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

/** `off`: there is no append-only file. `refused`: our user of Redis may not ask for it, or the server does not know it. */
export type RewriteOutcome = "done" | "off" | "refused" | "failed";

export interface RewriteMetrics {
  aofRewritten(outcome: RewriteOutcome): void;
}

export interface AofRewriterOptions {
  readonly redis: RedisClient;
  /** As whom a rewrite is asked for; absent: by the same connection. */
  readonly asker: RedisAddress | undefined;
  /** Between two rewrites; 0: there are none. */
  readonly intervalMs: number;
  readonly metrics: RewriteMetrics;
  readonly log: Log;
  /** Tests do not wait so long. */
  readonly everyMs?: number;
}

/** One small script. */
const everyMs = 10_000;
const lookMs = 500;
/** Of one rewrite; gigabytes take minutes. */
const rewriteMaxMs = 3_600_000;

const claimRewrite = script<[gone: string, aof: string], [intervalMs: number], number>(
  new URL("./scripts/claim-rewrite.lua", import.meta.url),
  integer,
);

/**
 * Has Redis rewrite its append-only file when it holds secrets of deleted sessions, at most once in each interval, whichever shard comes first. One that dies meanwhile is
 * followed by another an interval later.
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
      await this.look().catch((error: unknown) => this.options.log.debug({ err: error }, "append-only file rewrite skipped"));
      await pause(this.options.everyMs ?? everyMs, signal);
    }
  }

  private async look(): Promise<void> {
    const { redis, intervalMs, metrics, log } = this.options;
    const askedAt = await claimRewrite(redis, [keys.goneSecrets, keys.aof], [intervalMs]);
    if (askedAt === 0) return;
    const outcome = await this.rewrite();
    if (outcome === undefined) return;
    if (outcome === "done" || outcome === "off") {
      // First, so that whoever reads that nothing is held any more also reads since when.
      await redis.hset(keys.aof, "rewritten", askedAt, "problem", "");
      await forgetGone(redis, askedAt);
    } else {
      await redis.hset(keys.aof, "problem", outcome);
      log.warn({ outcome }, "append-only file rewrite failed, secrets of deleted sessions remain on disk");
    }
    metrics.aofRewritten(outcome);
  }

  /** `undefined`: this process stops, and nobody saw what came of it. */
  private async rewrite(): Promise<RewriteOutcome | undefined> {
    const { redis, asker: address, log } = this.options;
    const asker = address === undefined ? redis : await connectRedis(address, "writer", log);
    try {
      let together: RewriteOutcome = "off";
      // On a cluster one after the other: two rewrites beside each other take the memory of two.
      for (const master of mastersOf(asker)) {
        const outcome = await this.rewriteOn(master);
        if (outcome === undefined || outcome === "refused" || outcome === "failed") return outcome;
        if (outcome === "done") together = "done";
      }
      return together;
    } finally {
      if (asker !== redis) asker.disconnect();
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

  /** What a server says of its files when it writes none anew. */
  private async idle(master: RedisClient): Promise<InfoFields | undefined> {
    const endsAt = performance.now() + rewriteMaxMs;
    while (performance.now() < endsAt) {
      const info = infoFields(await master.info("persistence"));
      if (info["aof_rewrite_in_progress"] !== "1" && info["aof_rewrite_scheduled"] !== "1") return info;
      await pause(lookMs, this.stopped.signal);
      if (this.stopped.signal.aborted) return undefined;
    }
    return undefined;
  }
}
