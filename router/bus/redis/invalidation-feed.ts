import { SerialQueue } from "../../../shared/flow/serial-queue.js";
import { infoFields } from "../../../shared/redis/info-fields.js";
import type { Log } from "../../../shared/log/logger.js";
import type { RedisClient } from "../../../shared/redis/connect.js";

/** One server that tells of changes. */
export interface TrackedSource {
  /** What is read on this connection is tracked. */
  readonly redis: RedisClient;
  /** Of every write before this instant (monotonic milliseconds) this process has heard, if it had read the key here. */
  readonly toldUntil: number;
  /** Moves `toldUntil` on, past the moment of the call unless that fails. All who call while a question is on its way share the next one. */
  prove(): Promise<void>;
  /** The same for whoever does not wait for it: a question that is on its way will do. */
  renew(): void;
}

/** Reads of which Redis tells when they are not true any more. */
export interface TrackedReads {
  /** Where a read of this key is tracked; `undefined` where it is not, now: what is read elsewhere may not be remembered. */
  at(key: string): TrackedSource | undefined;
  /** A key that was read has changed. */
  onKeys(tell: (key: string) => void): void;
  /** Anything may have changed. */
  onLost(tell: () => void): void;
}

export interface InvalidationFeedOptions {
  /** What is read on this connection is tracked. Nothing but such reads belong on it: Redis remembers each key. */
  readonly redis: RedisClient;
  /** Hears of the changes; of the role `invalidations`. */
  readonly listener: RedisClient;
  readonly log: Log;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/**
 * Server-assisted client-side caching (Redis 6 and later, RESP2 with REDIRECT) of one server: Redis tells `listener` of every key that was read on `redis` and
 * then written, deleted or expired, once per read. What was read may be remembered while the feed is `trusted`, and must be forgotten when it is
 * lost: whoever reconnects has missed messages. The messages come on another connection than the replies, so they can overtake a
 * reply that is under way; so `SessionRecords` checks again before it remembers one.
 */
export class InvalidationFeed implements TrackedReads, TrackedSource {
  /** True while both connections stand and Redis tracks. */
  trusted = false;
  toldUntil = Number.NEGATIVE_INFINITY;
  private asking: Promise<void> | undefined;
  private askingNext: Promise<void> | undefined;
  private readonly now: () => number;
  private readonly onKey = new Set<(key: string) => void>();
  private readonly onLoss = new Set<() => void>();
  private readonly arming = new SerialQueue();
  private retry: NodeJS.Timeout | undefined;
  private stopped = false;
  /** What Redis knows the listener by, asked for once a connection; undefined before that. */
  private listenerId: number | undefined;
  /** Lost connections so far: an arming that began before the last of them does not count. */
  private losses = 0;
  private readonly lose = (): void => {
    this.losses++;
    this.trusted = false;
    this.toldUntil = Number.NEGATIVE_INFINITY;
    for (const tell of this.onLoss) tell();
  };
  private readonly loseListener = (): void => {
    this.listenerId = undefined;
  };
  private readonly tryArming = (): void => void this.arm();
  private readonly hear = (channel: string, message: string): void => {
    if (channel !== invalidationChannel) return;
    // No message: Redis dropped everything (FLUSHALL), or forgot what it tracked.
    if (message === "") for (const tell of this.onLoss) tell();
    // Several keys come as one text. Key names of ours have no comma (`keys.ts`).
    else for (const key of message.split(",")) for (const tell of this.onKey) tell(key);
  };

  constructor(private readonly options: InvalidationFeedOptions) {
    this.now = options.now ?? (() => performance.now());
  }

  get redis(): RedisClient {
    return this.options.redis;
  }

  at(): TrackedSource | undefined {
    return this.trusted ? this : undefined;
  }

  prove(): Promise<void> {
    if (this.asking === undefined) {
      this.asking = this.ask().finally(() => (this.asking = undefined));
      return this.asking;
    }
    this.askingNext ??= this.asking.then(() => {
      this.askingNext = undefined;
      return this.prove();
    });
    return this.askingNext;
  }

  renew(): void {
    if (this.asking === undefined) void this.prove();
  }

  onKeys(tell: (key: string) => void): void {
    this.onKey.add(tell);
  }

  onLost(tell: () => void): void {
    this.onLoss.add(tell);
  }

  /** Resolves when Redis tracks, or has refused to: then nothing is trusted, and it is tried again every so often. */
  async start(): Promise<void> {
    const { redis, listener } = this.options;
    listener.on("message", this.hear);
    listener.on("close", this.loseListener);
    for (const connection of [redis, listener]) {
      connection.on("close", this.lose);
      connection.on("ready", this.tryArming);
    }
    await this.arm();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.retry);
    const { redis, listener } = this.options;
    listener.off("message", this.hear);
    listener.off("close", this.loseListener);
    for (const connection of [redis, listener]) {
      connection.off("close", this.lose);
      connection.off("ready", this.tryArming);
    }
    this.lose();
  }

  /**
   * The listener's answer stands behind all messages of writes that came before the question. It is worth that only if the server tracked until then, which the answer of the other
   * connection shows, and took the writes: one that has become a replica hears of them later.
   */
  private async ask(): Promise<void> {
    if (!this.trusted) return;
    const { redis, listener } = this.options;
    const { losses } = this;
    const askedAt = this.now();
    try {
      const [info] = await Promise.all([redis.info("replication"), listener.ping()]);
      if (losses === this.losses && infoFields(info).role === "master") this.toldUntil = askedAt;
    } catch {
      // Until it answers, everybody asks Redis.
    }
  }

  /** One after the other: both connections may come back at once. */
  private async arm(): Promise<void> {
    await this.arming.run(() => this.tryToArm());
  }

  private async tryToArm(): Promise<void> {
    const { redis, listener, log } = this.options;
    if (this.stopped || this.trusted || redis.status !== "ready" || listener.status !== "ready") return;
    clearTimeout(this.retry);
    const { losses } = this;
    try {
      // A subscribed RESP2 connection may not ask for its id, so it asks before it subscribes. It never unsubscribes: Valkey 8.0 refuses that where nothing is subscribed.
      if (this.listenerId === undefined) {
        const id = await listener.client("ID");
        if (losses !== this.losses) throw lost();
        this.listenerId = id;
      }
      await listener.subscribe(invalidationChannel);
      await redis.client("TRACKING", "OFF");
      await redis.client("TRACKING", "ON", "REDIRECT", this.listenerId);
      if (losses !== this.losses) throw lost();
      this.trusted = true;
    } catch (error) {
      log.warn({ reason: error instanceof Error ? error.message : String(error) }, "redis client tracking unavailable");
      if (!this.stopped) this.retry = setTimeout(this.retryArming, retryMs);
    }
  }

  /** A listener that closed while it subscribed has subscribed again by itself, and may not be asked for its id any more: it starts over. Its `ready` arms. */
  private readonly retryArming = (): void => {
    const { listener } = this.options;
    if (this.listenerId === undefined && listener.status === "ready") listener.disconnect(true);
    else this.tryArming();
  };
}

const lost = (): Error => new Error("connection was lost meanwhile");
const invalidationChannel = "__redis__:invalidate";
const retryMs = 5_000;
