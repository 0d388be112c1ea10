import { liveEventsMax, type StoredLiveEvent } from "../../../shared/cluster/live-events.js";
import type { SessionId } from "../../../shared/contract/ids.js";
import type { Log } from "../../../shared/log/logger.js";
import type { RedisClient } from "../../../shared/redis/connect.js";
import { keys } from "../../../shared/redis/keys.js";
import { script } from "../../../shared/redis/script.js";
import { literal } from "../../../shared/redis/script-reply.js";
import type { LiveEventSubject } from "./live-event-subject.js";

/** What happened to events of a webhook. */
export type DeliveryOutcome = "delivered" | "failed" | "dead" | "replayed";

export interface DeliveryTallyOptions {
  readonly redis: RedisClient;
  readonly member: string;
  readonly onPublished: (outcome: "written" | "lost" | "skipped", sessions: number) => void;
  readonly log: Log;
  readonly everyMs?: number;
}

interface Tally {
  readonly session: LiveEventSubject;
  readonly counts: Record<DeliveryOutcome, number>;
  readonly oldestSeconds: () => number;
}

/** Most sessions reported at once by this shard: a browser follows no more, and state changes must not be pushed out of the stream. */
export const publishedAtOnce = 25;
/** More sessions than a shard hosts. */
export const sessionsMax = 20_000;
const everyDefaultMs = 1_000;

const publishIfFollowed = script<[listeners: string, liveEvents: string], [most: number, ...rows: string[]], 0 | 1>(
  new URL("./scripts/publish-if-followed.lua", import.meta.url),
  literal(0, 1),
);

/**
 * Sums up the results of each session's webhook events and reports them once a second, the longest waiting first. Reports nothing while no
 * operator listens.
 */
export class DeliveryTally {
  private readonly tallies = new Map<SessionId, Tally>();
  private timer: NodeJS.Timeout | undefined;
  private publishing: Promise<void> | undefined;
  private ended = false;

  constructor(private readonly options: DeliveryTallyOptions) {}

  count(session: LiveEventSubject, outcome: DeliveryOutcome, events: number, oldestSeconds: () => number): void {
    if (this.ended) return;
    const tally = this.tallies.get(session.id) ?? this.begin(session, oldestSeconds);
    if (tally !== undefined) tally.counts[outcome] += events;
  }

  /** Reports once more, as many sessions as one report may hold. */
  async stop(): Promise<void> {
    this.ended = true;
    clearTimeout(this.timer);
    await this.publishing;
    await this.publish();
  }

  private begin(session: LiveEventSubject, oldestSeconds: () => number): Tally | undefined {
    if (this.tallies.size >= sessionsMax) {
      this.options.onPublished("lost", 1);
      return undefined;
    }
    const tally: Tally = { session, counts: { delivered: 0, failed: 0, dead: 0, replayed: 0 }, oldestSeconds };
    this.tallies.set(session.id, tally);
    this.wait();
    return tally;
  }

  private wait(): void {
    if (this.ended || this.timer !== undefined) return;
    this.timer = setTimeout(() => {
      this.publishing = this.publish().finally(() => {
        this.timer = undefined;
        if (this.tallies.size > 0) this.wait();
      });
    }, this.options.everyMs ?? everyDefaultMs);
  }

  /** Never rejects: counts that Redis did not take are kept for the next round. */
  private async publish(): Promise<void> {
    const { redis, onPublished, log } = this.options;
    const batch = [...this.tallies.values()].slice(0, publishedAtOnce);
    if (batch.length === 0) return;
    const rows = batch.map((tally) => JSON.stringify(this.eventOf(tally)));
    for (const { session } of batch) this.tallies.delete(session.id);
    try {
      if ((await publishIfFollowed(redis, [keys.liveEventListener, keys.liveEvents], [liveEventsMax, ...rows])) === 1)
        onPublished("written", rows.length);
      else this.forget(batch.length);
    } catch (error) {
      log.debug({ err: error }, "delivery counts not published, retrying");
      for (const tally of batch) this.restore(tally);
    }
  }

  private eventOf({ session, counts, oldestSeconds }: Tally): StoredLiveEvent {
    const { id, platform, tenant, incarnation } = session;
    const { member } = this.options;
    const webhookLag = Math.floor(oldestSeconds());
    return { type: "deliveries", at: new Date().toISOString(), session: id, platform, tenant, incarnation, ...counts, webhookLag, member };
  }

  /** No operator listens, so the other waiting tallies are of no use either. */
  private forget(published: number): void {
    this.options.onPublished("skipped", published + this.tallies.size);
    this.tallies.clear();
  }

  /** Restores a tally that was not published and adds what came meanwhile. */
  private restore({ session, counts, oldestSeconds }: Tally): void {
    const tally = this.tallies.get(session.id) ?? this.begin(session, oldestSeconds);
    if (tally === undefined) return;
    for (const outcome of ["delivered", "failed", "dead", "replayed"] as const) tally.counts[outcome] += counts[outcome];
  }
}
