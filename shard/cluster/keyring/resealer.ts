import { sealingKey, type KeyRing } from "../../../shared/config/key-ring.js";
import { pause } from "../../../shared/flow/pause.js";
import { readSealedTexts, type SealedText } from "../../../shared/cluster/keyring/sealed-texts.js";
import { slotCount } from "../../../shared/limits.js";
import type { Log } from "../../../shared/log/logger.js";
import type { RedisClient } from "../../../shared/redis/connect.js";
import { script } from "../../../shared/redis/script.js";
import { literal } from "../../../shared/redis/script-reply.js";
import { markGone } from "../../../shared/session/gone-secrets.js";
import type { RotationProgress } from "../../session/live-events/live-event-writer.js";
import { Throttle } from "../../session/live-events/throttle.js";
import { afterCount, tally } from "./rotation-plan.js";
import { RotationRecord, type Growth, type Pass } from "./rotation-record.js";

const reseal = script<[record: string], [field: string, before: string, after: string], 0 | 1>(
  new URL("./scripts/reseal.lua", import.meta.url),
  literal(0, 1),
);

/** Slots of one step. Even with a million sessions, a step ends long before the lease. */
const slotsAtOnce = 16;
/** Most texts read per second: about 4 % of a processor, and 1 % of Redis'. */
const perSecond = 1_000;
const stepMs = 1;
const idleMs = 2_000;

export interface ResealerOptions {
  readonly redis: RedisClient;
  readonly ring: KeyRing;
  /** Unique to this incarnation. */
  readonly runner: string;
  readonly metrics: ResealMetrics;
  /** Reports progress to operators. */
  readonly events: { rotation(progress: RotationProgress): void };
  readonly log: Log;
  /** Shorter in tests. */
  readonly idleMs?: number;
}

export interface ResealMetrics {
  resealed(outcome: "done" | "failed", texts: number): void;
}

/**
 * Carries out key rotations (shared/README.md, "Rotation"), one shard at a time, for slots of any owner: sealing changes no content, and a
 * concurrent write wins. A step lost before it was stored is repeated safely.
 */
export class Resealer {
  private readonly record: RotationRecord;
  private readonly stopped = new AbortController();
  private running: Promise<void> | undefined;
  private readonly progress = new Throttle<"rotation">(() => void this.reportProgress());

  constructor(private readonly options: ResealerOptions) {
    this.record = new RotationRecord(options.redis, options.runner);
  }

  start(): void {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    await this.running;
    this.progress.stop();
  }

  /** Never rejects. */
  private async run(): Promise<void> {
    const { ring, log } = this.options;
    const { signal } = this.stopped;
    while (!signal.aborted) {
      try {
        const pass = await this.record.claim(ring.ids);
        if (pass !== undefined && (await this.work(pass))) continue;
      } catch (error) {
        log.warn({ err: error }, "key rotation interrupted");
      }
      await pause(this.options.idleMs ?? idleMs, signal);
    }
  }

  /** Returns false when another runner took over or this process stops. */
  private async work(pass: Pass): Promise<boolean> {
    const { signal } = this.stopped;
    this.options.log.info({ phase: pass.phase, slot: pass.slot }, "key rotation running");
    this.progress.happened("rotation");
    for (let slot = pass.slot; slot < slotCount; slot += slotsAtOnce) {
      if (signal.aborted) {
        await this.record.release(pass, slot);
        return false;
      }
      const since = performance.now();
      const to = Math.min(slot + slotsAtOnce, slotCount);
      const texts = await readSealedTexts(
        this.options.redis,
        Array.from({ length: to - slot }, (_, i) => slot + i),
      );
      const growth = pass.phase === "counting" ? counts(texts) : await this.reseal(texts, pass.sealing);
      if (!(await this.record.advance(pass, slot, to, growth))) return false;
      this.progress.happened("rotation");
      await pause(Math.max(stepMs, (texts.length / perSecond) * 1_000 - (performance.now() - since)), signal);
    }
    return await this.end(pass);
  }

  private async end(pass: Pass): Promise<boolean> {
    const ended = await this.endPass(pass);
    this.progress.happened("rotation");
    return ended;
  }

  private async endPass(pass: Pass): Promise<boolean> {
    if (pass.phase === "resealing") return await this.record.endPass(pass, "counting", 0);
    const counted = await this.record.counted(pass);
    const { next, old } = afterCount(counted);
    // The append-only file still holds texts that the old keys sealed.
    if (next === "end" && counted.passes > 0) await markGone(this.options.redis);
    if (next === "end") this.options.log.info({ key: pass.sealing, left: old }, "key rotation finished");
    return await this.record.endPass(pass, next === "end" ? "" : next, old);
  }

  /** Never rejects: the next report replaces a lost one. */
  private async reportProgress(): Promise<void> {
    try {
      this.options.events.rotation(await this.record.progress());
    } catch (error) {
      this.options.log.debug({ err: error }, "key rotation progress not read");
    }
  }

  private async reseal(texts: readonly SealedText[], sealing: string): Promise<Growth> {
    const old = texts.filter(({ sealed }) => sealingKey(sealed) !== sealing);
    const outcomes = await Promise.all(
      old.map(async (text) => ({ from: sealingKey(text.sealed), outcome: await this.resealOne(text, sealing) })),
    );
    const done = outcomes.filter(({ outcome }) => outcome === "done");
    const failed = outcomes.filter(({ outcome }) => outcome === "failed").length;
    this.options.metrics.resealed("done", done.length);
    this.options.metrics.resealed("failed", failed);
    return [
      ["done", done.length],
      ["failed", failed],
      [`records:${sealing}`, done.length],
      ...done.map(({ from }) => [`records:${from}`, -1] as const),
    ];
  }

  /** `newer`: the text was written or deleted meanwhile. */
  private async resealOne({ record, field, sealed, context }: SealedText, sealing: string): Promise<"done" | "failed" | "newer"> {
    const { ring, redis } = this.options;
    let plain: Buffer;
    try {
      plain = ring.open(sealed, context);
    } catch {
      // The text is left as it is: with the right key it may open. Its owner reports it (shared/README.md, "Sealed records").
      return "failed";
    }
    return (await reseal(redis, [record], [field, sealed, ring.seal(plain, context, sealing)])) === 1 ? "done" : "newer";
  }
}

function counts(texts: readonly SealedText[]): Growth {
  return [...tally(texts)].map(([id, count]) => [`found:${id}`, count] as const);
}
