import { serverBusy, storageUnavailable } from "../../../shared/contract/errors.js";
import { pause } from "../../../shared/flow/pause.js";
import type { Log } from "../../../shared/log/logger.js";
import type { RedisClient } from "../../../shared/redis/connect.js";
import type { Principal } from "../../tenant/principal.js";
import { EventStream, type StreamEnd } from "./event-stream.js";
import { RecentEvents } from "./recent-events.js";
import { markListener, newestPosition, eventsAfter, eventsPerRead } from "./stored-events.js";
import { tooManyEventStreams } from "../../http/errors.js";

export interface EventFeedOptions {
  readonly redis: RedisClient;
  /** Returns whether the caller's key is still valid. */
  readonly stands: (principal: Principal) => boolean;
  readonly metrics: EventFeedMetrics;
  readonly log: Log;
  readonly bounds?: Partial<EventFeedBounds>;
}

export interface EventFeedMetrics {
  eventStreamsOpen(count: number): void;
  eventStreamEnded(end: StreamEnd | "refused"): void;
}

export interface EventFeedBounds {
  readonly streams: number;
  /** Limit per API key. */
  readonly streamsPerKey: number;
  /** Limit for all tenants together. The other streams are reserved for admins. */
  readonly streamsOfTenants: number;
  readonly streamsPerTenant: number;
  /** Most events in memory. A slower reader loses its stream. */
  readonly recent: number;
  /** Interval of reads from Redis and of key checks while streams are open. */
  readonly pollMs: number;
  /** Interval at which the listener marker in Redis is renewed. */
  readonly listenerMs: number;
  readonly heartbeatMs: number;
}

const defaultBounds: EventFeedBounds = {
  ...{ streams: 200, streamsPerKey: 8, streamsOfTenants: 150, streamsPerTenant: 50 },
  ...{ recent: 4_000, pollMs: 200, listenerMs: 5_000, heartbeatMs: 5_000 },
};
/** A read of Redis that takes longer counts as failed. */
const currentMs = 3_000;

/** Reads cluster events for the streams of this router. Reads Redis only while streams are open. */
export class EventFeed {
  private readonly bounds: EventFeedBounds;
  private readonly streams = new Set<EventStream>();
  private recent: RecentEvents;
  /** Id of the newest row read; `undefined` while no stream is open. */
  private position: string | undefined;
  /** Time of the last read, on the clock of `performance.now()`. */
  private readAt = Number.NEGATIVE_INFINITY;
  /** Time of the last renewal of the listener marker, on the clock of `performance.now()`. */
  private markedAt = Number.NEGATIVE_INFINITY;
  private beginning: Promise<string> | undefined;
  private reading: Promise<void> | undefined;
  private readonly ended = new AbortController();

  constructor(private readonly options: EventFeedOptions) {
    this.bounds = { ...defaultBounds, ...options.bounds };
    this.recent = new RecentEvents(this.bounds.recent);
  }

  /**
   * Opens a stream from now on, or from the event after `after`. Rejects with 429 past the limits, and with 503 without Redis or when the
   * router stops.
   */
  async open(principal: Principal, after: string | undefined, signal: AbortSignal): Promise<EventStream> {
    this.requireRoom(principal);
    const { redis, metrics } = this.options;
    const isCurrent = (): boolean => performance.now() - this.readAt < currentMs;
    const stream = new EventStream({ principal, redis, heartbeatMs: this.bounds.heartbeatMs, isCurrent, signal }, (end) => {
      this.streams.delete(stream);
      metrics.eventStreamsOpen(this.streams.size);
      metrics.eventStreamEnded(end);
    });
    this.streams.add(stream);
    metrics.eventStreamsOpen(this.streams.size);
    try {
      const begun = await this.begin();
      // Both values are taken in the same turn. All later events reach `recent`.
      await stream.begin(this.recent, this.position ?? begun, after);
    } catch (error) {
      await stream.return();
      throw storageUnavailable(error);
    }
    if (this.ended.signal.aborted) stream.end("router stops");
    return stream;
  }

  /** Ends every stream, so that clients reconnect to another router. */
  async stop(): Promise<void> {
    this.ended.abort();
    for (const stream of this.streams) stream.end("router stops");
    await this.reading;
  }

  private requireRoom(principal: Principal): void {
    if (this.ended.signal.aborted) throw serverBusy();
    const open = [...this.streams].map((stream) => stream.principal);
    const ofKey = open.filter(({ keyId }) => keyId === principal.keyId).length;
    if (open.length < this.bounds.streams && ofKey < this.bounds.streamsPerKey && this.tenantHasRoom(principal, open)) return;
    this.options.metrics.eventStreamEnded("refused");
    throw tooManyEventStreams();
  }

  private tenantHasRoom(principal: Principal, open: readonly Principal[]): boolean {
    if (principal.role === "admin") return true;
    const ofTenants = open.flatMap((other) => (other.role === "admin" ? [] : [other.tenant]));
    const ofTenant = ofTenants.filter((tenant) => tenant === principal.tenant).length;
    return ofTenants.length < this.bounds.streamsOfTenants && ofTenant < this.bounds.streamsPerTenant;
  }

  /** Resolves with the position from which this router reads. Streams opened together share one read. */
  private async begin(): Promise<string> {
    if (this.position !== undefined) return this.position;
    this.beginning ??= this.readPosition().finally(() => {
      this.beginning = undefined;
    });
    return await this.beginning;
  }

  private async readPosition(): Promise<string> {
    const [position] = await Promise.all([newestPosition(this.options.redis), this.markListener()]);
    this.recent = new RecentEvents(this.bounds.recent);
    this.position = position;
    this.readAt = performance.now();
    this.reading = this.follow();
    return position;
  }

  /** Runs while streams are open. Never rejects. */
  private async follow(): Promise<void> {
    while (this.streams.size > 0 && this.position !== undefined && !this.ended.signal.aborted) {
      for (const stream of this.streams) if (!this.options.stands(stream.principal)) stream.end("api key is no longer valid");
      const more = await this.read(this.position);
      if (!more) await pause(this.bounds.pollMs, this.ended.signal);
    }
    this.position = undefined;
  }

  /** Resolves with true if more events may follow at once. */
  private async read(after: string): Promise<boolean> {
    try {
      if (performance.now() - this.markedAt > this.bounds.listenerMs) await this.markListener();
      const rows = await eventsAfter(this.options.redis, after, eventsPerRead);
      this.readAt = performance.now();
      const newest = rows.at(-1);
      if (newest === undefined) return false;
      this.position = newest.id;
      this.recent.add(rows);
      for (const stream of this.streams) stream.wake();
      return rows.length === eventsPerRead;
    } catch (error) {
      // Streams stay open without heartbeats. Missed events follow once Redis works again.
      this.options.log.debug({ err: error }, "event feed read failed");
      return false;
    }
  }

  private async markListener(): Promise<void> {
    this.markedAt = performance.now();
    await markListener(this.options.redis);
  }
}
