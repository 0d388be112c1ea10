import { SerialQueue } from "../../../shared/flow/serial-queue.js";
import { infoFields } from "../../../shared/redis/info-fields.js";
import type { Log } from "../../../shared/log/logger.js";
import type { RedisClient } from "../../../shared/redis/connect.js";

/** One server that reports changes of keys. */
export interface TrackedSource {
  /** Reads on this connection are tracked. */
  readonly redis: RedisClient;
  /** This process has received notice of every write before this instant (monotonic milliseconds) to keys that it read here. */
  readonly notifiedUntil: number;
  /** Moves `notifiedUntil` past the time of the call, unless the check fails. Calls during a running check share the next one. */
  prove(): Promise<void>;
  /** Does the same without a wait. A check that is already running is enough. */
  renew(): void;
}

/** Reads whose later changes Redis reports. */
export interface TrackedReads {
  /** Returns where a read of this key is tracked now, or `undefined`. Results of untracked reads must not be remembered. */
  at(key: string): TrackedSource | undefined;
  /** Registers a listener for each changed key. */
  onKeys(listener: (key: string) => void): void;
  /** Registers a listener for the case that any key may have changed. */
  onLost(listener: () => void): void;
}

export interface InvalidationFeedOptions {
  /** Reads on this connection are tracked. Only such reads belong on it, because Redis remembers each key. */
  readonly redis: RedisClient;
  /** Connection of the role `invalidations` that receives the notices. */
  readonly listener: RedisClient;
  readonly log: Log;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/**
 * Client-side caching of one server: Redis notifies `listener` of each key that was read on `redis` and then changed. A notice can
 * overtake the reply of a read, so `SessionRecords` checks again before it remembers.
 */
export class InvalidationFeed implements TrackedReads, TrackedSource {
  /** True while both connections are up and Redis tracks. */
  trusted = false;
  notifiedUntil = Number.NEGATIVE_INFINITY;
  private proving: Promise<void> | undefined;
  private provingNext: Promise<void> | undefined;
  private readonly now: () => number;
  private readonly onKey = new Set<(key: string) => void>();
  private readonly onLoss = new Set<() => void>();
  private readonly arming = new SerialQueue();
  private retry: NodeJS.Timeout | undefined;
  private stopped = false;
  /** Client id of the listener, read once per connection; undefined before that. */
  private listenerId: number | undefined;
  /** Number of lost connections. An arming that began before the latest loss does not count. */
  private losses = 0;
  private readonly lose = (): void => {
    this.losses++;
    this.trusted = false;
    this.notifiedUntil = Number.NEGATIVE_INFINITY;
    for (const listener of this.onLoss) listener();
  };
  private readonly loseListener = (): void => {
    this.listenerId = undefined;
  };
  private readonly tryArming = (): void => void this.arm();
  private readonly onMessage = (channel: string, message: string): void => {
    if (channel !== invalidationChannel) return;
    // An empty message means that Redis dropped all data (FLUSHALL) or its tracking table.
    if (message === "") for (const listener of this.onLoss) listener();
    // One message may list several keys. Our key names have no comma (`keys.ts`).
    else for (const key of message.split(",")) for (const listener of this.onKey) listener(key);
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
    if (this.proving === undefined) {
      this.proving = this.check().finally(() => (this.proving = undefined));
      return this.proving;
    }
    this.provingNext ??= this.proving.then(() => {
      this.provingNext = undefined;
      return this.prove();
    });
    return this.provingNext;
  }

  renew(): void {
    if (this.proving === undefined) void this.prove();
  }

  onKeys(listener: (key: string) => void): void {
    this.onKey.add(listener);
  }

  onLost(listener: () => void): void {
    this.onLoss.add(listener);
  }

  /** Resolves when Redis tracks or has refused to. After a refusal nothing is trusted, and the feed retries every 5 s. */
  async start(): Promise<void> {
    const { redis, listener } = this.options;
    listener.on("message", this.onMessage);
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
    listener.off("message", this.onMessage);
    listener.off("close", this.loseListener);
    for (const connection of [redis, listener]) {
      connection.off("close", this.lose);
      connection.off("ready", this.tryArming);
    }
    this.lose();
  }

  /**
   * The listener's pong arrives after the notices of all earlier writes. INFO on the other connection proves that tracking held and that
   * the server is still a master.
   */
  private async check(): Promise<void> {
    if (!this.trusted) return;
    const { redis, listener } = this.options;
    const { losses } = this;
    const requestedAt = this.now();
    try {
      const [info] = await Promise.all([redis.info("replication"), listener.ping()]);
      if (losses === this.losses && infoFields(info).role === "master") this.notifiedUntil = requestedAt;
    } catch {
      // Until a check succeeds, every read goes to Redis.
    }
  }

  /** Runs one arming at a time, because both connections may come back at once. */
  private async arm(): Promise<void> {
    await this.arming.run(() => this.tryToArm());
  }

  private async tryToArm(): Promise<void> {
    const { redis, listener, log } = this.options;
    if (this.stopped || this.trusted || redis.status !== "ready" || listener.status !== "ready") return;
    clearTimeout(this.retry);
    const { losses } = this;
    try {
      // A subscribed RESP2 connection cannot read its id, so it does so first. It never unsubscribes: Valkey 8.0 rejects that without a
      // subscription.
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

  /**
   * A listener that closed while it subscribed has resubscribed by itself and cannot read its id. It reconnects, and its `ready` event
   * arms again.
   */
  private readonly retryArming = (): void => {
    const { listener } = this.options;
    if (this.listenerId === undefined && listener.status === "ready") listener.disconnect(true);
    else this.tryArming();
  };
}

const lost = (): Error => new Error("connection was lost meanwhile");
const invalidationChannel = "__redis__:invalidate";
const retryMs = 5_000;
