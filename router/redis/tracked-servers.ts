import type { Log } from "../../shared/log/logger.js";
import type { RedisAddress } from "../../shared/redis/address.js";
import { connectRedis, type RedisClient } from "../../shared/redis/connect.js";
import { isSpread, masterOf, mastersOf, serverOf } from "../../shared/redis/topology.js";
import { InvalidationFeed, type TrackedReads } from "./invalidation-feed.js";

export interface TrackedServersOptions {
  /** Knows the masters, and which has a key. */
  readonly redis: RedisClient;
  /** Its address. */
  readonly address: RedisAddress;
  readonly log: Log;
}

/** A new master is followed so soon. */
const lookMs = 1_000;
/** Two connections each; the keys of further ones are read anew each time. */
const serversMax = 128;

interface TrackedServer {
  readonly feed: InvalidationFeed;
  readonly connections: readonly RedisClient[];
}

/**
 * Tracked reads of all masters: each tells of what was read from it alone, so each has two connections. On a cluster a key is read where its hash slot is said to be; a master
 * that does not have it any more refuses, and the caller asks in the general way. What is lost with one master is all forgotten: nobody remembers what came from whom.
 */
export class TrackedServers implements TrackedReads {
  private readonly servers = new Map<string, TrackedServer>();
  private readonly opening = new Set<string>();
  private readonly onKey: ((key: string) => void)[] = [];
  private readonly onLoss: (() => void)[] = [];
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(private readonly options: TrackedServersOptions) {}

  at(key: string): RedisClient | undefined {
    const master = masterOf(this.options.redis, key);
    return master && this.servers.get(this.nameOf(master))?.feed.at();
  }

  onKeys(tell: (key: string) => void): void {
    this.onKey.push(tell);
  }

  onLost(tell: () => void): void {
    this.onLoss.push(tell);
  }

  /** Resolves when every master that answers tracks, or has refused to. */
  async start(): Promise<void> {
    this.timer = setInterval(() => void this.follow(), lookMs);
    await this.follow();
  }

  stop(): void {
    this.stopped = true;
    clearInterval(this.timer);
    for (const name of [...this.servers.keys()]) this.close(name);
  }

  /** Never rejects. */
  private async follow(): Promise<void> {
    const masters = new Map(mastersOf(this.options.redis).map((master) => [this.nameOf(master), master]));
    for (const name of [...this.servers.keys()]) if (!masters.has(name)) this.close(name);
    const missing = [...masters].filter(([name]) => !this.servers.has(name) && !this.opening.has(name));
    await Promise.all(missing.slice(0, serversMax - this.servers.size).map(([name, master]) => this.open(name, this.addressOf(master))));
  }

  private async open(name: string, address: RedisAddress): Promise<void> {
    const { log } = this.options;
    this.opening.add(name);
    const opened = await Promise.allSettled([connectRedis(address, "writer", log), connectRedis(address, "invalidations", log)]);
    this.opening.delete(name);
    const connections = opened.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    const [redis, listener] = connections;
    if (redis === undefined || listener === undefined || this.stopped) {
      connections.forEach((one) => one.disconnect());
      return;
    }
    const feed = new InvalidationFeed({ redis, listener, log });
    feed.onKeys((key) => this.onKey.forEach((tell) => tell(key)));
    feed.onLost(() => this.onLoss.forEach((tell) => tell()));
    this.servers.set(name, { feed, connections });
    await feed.start();
  }

  private close(name: string): void {
    const server = this.servers.get(name);
    this.servers.delete(name);
    server?.feed.stop();
    server?.connections.forEach((one) => one.disconnect());
  }

  /** Where there is one master, it is found as its address says, also after a failover. */
  private nameOf(master: RedisClient): string {
    if (!isSpread(this.options.redis)) return "";
    const { host = "", port = 0 } = serverOf(master) ?? {};
    return `${host}:${port}`;
  }

  private addressOf(master: RedisClient): RedisAddress {
    const { redis, address } = this.options;
    const server = isSpread(redis) ? serverOf(master) : undefined;
    return server === undefined ? address : { kind: "server", server, database: 0, access: address.access };
  }
}
