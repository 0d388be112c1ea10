import type { Log } from "../../../shared/log/logger.js";
import type { RedisAddress } from "../../../shared/redis/address.js";
import { connectRedis, type RedisClient } from "../../../shared/redis/connect.js";
import { EachMaster, type MasterPart } from "./each-master.js";
import { InvalidationFeed, type TrackedReads, type TrackedSource } from "./invalidation-feed.js";

export interface TrackedServersOptions {
  /** Client that knows the masters and their keys. */
  readonly redis: RedisClient;
  /** Address of that Redis. */
  readonly address: RedisAddress;
  readonly log: Log;
}

/**
 * Tracks reads on every master, with two connections each, because a server reports changes only of its own reads. Losing one master
 * clears everything: entries do not say which master they came from.
 */
export class TrackedServers implements TrackedReads {
  private readonly servers: EachMaster<TrackedServer>;
  private readonly onKey: ((key: string) => void)[] = [];
  private readonly onLoss: (() => void)[] = [];

  constructor({ redis, address, log }: TrackedServersOptions) {
    this.servers = new EachMaster({
      redis,
      address,
      open: (master) =>
        new TrackedServer(master, log, (feed) => {
          feed.onKeys((key) => this.onKey.forEach((listener) => listener(key)));
          feed.onLost(() => this.onLoss.forEach((listener) => listener()));
        }),
    });
  }

  at(key: string): TrackedSource | undefined {
    return this.servers.at(key)?.at();
  }

  onKeys(listener: (key: string) => void): void {
    this.onKey.push(listener);
  }

  onLost(listener: () => void): void {
    this.onLoss.push(listener);
  }

  /** Resolves when every reachable master tracks or has refused to. */
  start(): Promise<void> {
    return this.servers.start();
  }

  stop(): void {
    this.servers.stop();
  }
}

class TrackedServer implements MasterPart {
  private feed: InvalidationFeed | undefined;
  private connections: readonly RedisClient[] = [];
  private stopped = false;

  constructor(
    private readonly address: RedisAddress,
    private readonly log: Log,
    private readonly listen: (feed: InvalidationFeed) => void,
  ) {}

  at(): TrackedSource | undefined {
    return this.feed?.at();
  }

  async start(): Promise<void> {
    const { address, log } = this;
    const opened = await Promise.allSettled([connectRedis(address, "writer", log), connectRedis(address, "invalidations", log)]);
    this.connections = opened.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    const [redis, listener] = this.connections;
    if (redis === undefined || listener === undefined || this.stopped) {
      this.stop();
      throw new Error("no two connections to track with");
    }
    this.feed = new InvalidationFeed({ redis, listener, log });
    this.listen(this.feed);
    await this.feed.start();
  }

  stop(): void {
    this.stopped = true;
    this.feed?.stop();
    for (const connection of this.connections) connection.disconnect();
  }
}
