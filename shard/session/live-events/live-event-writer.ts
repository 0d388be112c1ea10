import type { LiveLoadEvent, LiveRotationEvent, StoredLiveEvent } from "../../../shared/cluster/live-events.js";
import type { Log } from "../../../shared/log/logger.js";
import { AppendQueue } from "../../../shared/redis/append-queue.js";
import type { RedisClient } from "../../../shared/redis/connect.js";
import type { SessionState } from "../../../shared/session/state.js";
import { appendLiveEvents } from "./append-live-events.js";
import { DeliveryTally, type DeliveryOutcome } from "./delivery-tally.js";
import { Throttle } from "./throttle.js";
import type { LiveEventSubject } from "./live-event-subject.js";

export interface LiveEventWriterOptions {
  readonly redis: RedisClient;
  /** Name of this shard. */
  readonly member: string;
  readonly metrics: LiveEventMetrics;
  readonly log: Log;
  /** Pause before events that Redis did not take are retried. */
  readonly retryMs?: number;
}

export interface LiveEventMetrics {
  /** `skipped`: useful only while an operator listens, and none did. */
  liveEvents(outcome: "written" | "lost" | "skipped", count: number): void;
}

/** Events for operators from a session's parts. The methods must not throw and must not wait. */
export interface LiveEventPort {
  session(session: LiveEventSubject, state: SessionState["kind"]): void;
  /** The session shows something else to its phone. `session` is the same object each time, because calls are throttled by it. */
  code(session: LiveEventSubject): void;
  /** The platform restricted the account until then; empty: no longer. */
  restriction(session: LiveEventSubject, until: string): void;
  delivery(session: LiveEventSubject, outcome: DeliveryOutcome, events: number, oldestSeconds: () => number): void;
}

/** The load of a shard. */
export type Load = Pick<LiveLoadEvent, "slots" | "sessions" | "drained">;
export type RotationProgress = Pick<LiveRotationEvent, "state" | "total" | "done" | "failed">;

/** A takeover of some thousand sessions brings this many entries while Redis is slow; 2 MB. */
export const waitingMax = 10_000;

/**
 * Publishes this shard's events for operators, even without listeners: a small entry beside the writes that a change of state needs anyway.
 */
export class LiveEventWriter implements LiveEventPort {
  private readonly queue: AppendQueue<StoredLiveEvent>;
  /** Some events were lost, and no entry says so yet. */
  private isMissing = false;
  private readonly deliveries: DeliveryTally;
  private readonly codes = new Throttle<LiveEventSubject>(({ id, platform, tenant, incarnation }) =>
    this.queue.add({ type: "code", at: now(), session: id, platform, tenant, incarnation, member: this.options.member }),
  );
  private readonly loads = new Throttle<() => Load>((read) =>
    this.queue.add({ type: "load", at: now(), member: this.options.member, ...read() }),
  );

  constructor(private readonly options: LiveEventWriterOptions) {
    const { redis, member, metrics, log, retryMs } = options;
    this.deliveries = new DeliveryTally({ redis, member, onPublished: (outcome, rows) => metrics.liveEvents(outcome, rows), log });
    this.queue = new AppendQueue({
      append: (rows) => this.append(rows),
      waitingMax,
      onWritten: (rows) => metrics.liveEvents("written", rows),
      onLost: ({ length }) => {
        this.isMissing = true;
        metrics.liveEvents("lost", length);
      },
      onTrouble: (error, waiting) => log.warn({ err: error, waiting }, "events not published, retrying"),
      ...(retryMs === undefined ? {} : { againMs: retryMs }),
    });
  }

  session({ id, platform, tenant, incarnation }: LiveEventSubject, state: SessionState["kind"]): void {
    this.queue.add({ type: "session", at: now(), session: id, platform, tenant, incarnation, state, member: this.options.member });
  }

  /** Called when this shard has acquired the slots and loaded their sessions. */
  slots(slots: readonly number[]): void {
    this.queue.add({ type: "slots", at: now(), member: this.options.member, slots: [...slots] });
  }

  code(session: LiveEventSubject): void {
    this.codes.happened(session);
  }

  restriction({ id, platform, tenant, incarnation }: LiveEventSubject, until: string): void {
    this.queue.add({ type: "restriction", at: now(), session: id, platform, tenant, incarnation, until, member: this.options.member });
  }

  delivery(session: LiveEventSubject, outcome: DeliveryOutcome, events: number, oldestSeconds: () => number): void {
    this.deliveries.count(session, outcome, events, oldestSeconds);
  }

  /** Call when slots were acquired or released. `read` is called when the load is published, and must be the same function each time. */
  load(read: () => Load): void {
    this.loads.happened(read);
  }

  /** The caller limits the rate. */
  rotation(progress: RotationProgress): void {
    this.queue.add({ type: "rotation", at: now(), member: this.options.member, ...progress });
  }

  async stop(): Promise<void> {
    this.codes.stop();
    this.loads.stop();
    await Promise.all([this.deliveries.stop(), this.queue.stop()]);
  }

  private async append(rows: readonly StoredLiveEvent[]): Promise<void> {
    const missing = this.isMissing;
    await appendLiveEvents(this.options.redis, missing ? [...rows, { type: "missed", at: now() }] : rows);
    if (missing) this.isMissing = false;
  }
}

function now(): string {
  return new Date().toISOString();
}
