import { every } from "../../flow/every.js";
import type { RedisAddress } from "../../redis/address.js";
import { lookAtPair, type WrongPair } from "../../redis/cache-owner.js";
import { askCluster } from "../../redis/cluster-trouble.js";
import { settingTrouble } from "../../redis/connect-trouble.js";
import { lastErrorOf, openConnections, type RedisClient } from "../../redis/connect.js";
import { keys } from "../../redis/keys.js";
import { isRefusedWrite, redisTrouble, type RedisTrouble } from "../../flow/redis-trouble.js";
import { infoFields, type InfoFields } from "../../redis/info-fields.js";
import { wrongServer, type RedisServer } from "../../redis/wrong-server.js";
import { isSpread, masterOf, mastersOf } from "../../redis/topology.js";
import { Gauge, Histogram, type MetricsRegistry } from "./registry.js";

/** Between two pings of one server. */
const everyMs = 2_000;
/** One ping in so many also asks for memory and disk, which is an answer of some kilobytes. */
const detailEvery = 5;
/** One in so many looks whether both servers belong to one cluster. */
const pairEvery = 30;

/** A cluster that is not whole is told of from this look on: a failover is over sooner. */
const clusterLooks = 3;

/** How long a probe's key lives. */
const probeMs = 10_000;
/** A master that has so few hash slots that none of these names is among them gets no probe. */
const probeNamesMax = 1_000;

export interface RedisProbeOptions {
  /** First word of the metrics' names. */
  role: "router" | "shard";
  registry: MetricsRegistry;
  /** Of the process, unique in the cluster. */
  name: string;
  /** Connections whose commands end by themselves: a probe waits for nothing else. */
  servers: Readonly<Record<RedisServer, RedisClient>>;
  /** As the settings have them. */
  addresses: Readonly<Record<RedisServer, RedisAddress>>;
  /** Tests do not wait 2 s. */
  everyMs?: number;
}

/**
 * How Redis looks from this process: whether and how fast it answers a ping every 2 s, and what it says about its memory and its file every 10 s. A cluster is as well as
 * the worst of its masters, and as large as all of them.
 */
export class RedisProbe {
  private readonly up: Gauge<"server">;
  private readonly ping: Histogram<"server">;
  private readonly used: Gauge<"server">;
  private readonly limit: Gauge<"server">;
  private readonly evicted: Gauge<"server">;
  private readonly unwritten: Gauge<"server">;
  private readonly refused: Gauge<"server">;
  private readonly running = new Map<RedisServer, Promise<void>>();
  private rounds = 0;
  private trouble: RedisTrouble | undefined;
  /** What keeps a cluster from serving all keys, in words that go on from the setting's name, and in how many looks. */
  private readonly clusters = new Map<RedisServer, { readonly why: string; readonly looks: number }>();
  /** What is wrong with a setting, in words that go on from its name. */
  private readonly wrong = new Map<RedisServer, string>();
  /** The same of both servers together. */
  private wrongPair: WrongPair | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: RedisProbeOptions) {
    const registers = [options.registry];
    const labelNames = ["server"] as const;
    const gauge = (name: string, help: string): Gauge<"server"> =>
      new Gauge({ name: `gateway_${options.role}_redis_${name}`, help, labelNames, registers });
    this.up = gauge("up", "1 while Redis answers, else 0; coordination and cache may be one server");
    this.ping = new Histogram({
      name: `gateway_${options.role}_redis_ping_seconds`,
      help: "Round trips of a ping, one every 2 s; one that was not answered is not among them",
      labelNames,
      buckets: [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 3],
      registers,
    });
    this.used = gauge("memory_used_bytes", "used_memory of Redis, as of the last 10 s");
    this.limit = gauge("memory_limit_bytes", "maxmemory of Redis; 0: none");
    this.evicted = gauge("evicted_keys", "Keys that Redis has evicted since it started");
    this.unwritten = gauge("file_failing", "1 while Redis cannot write its append-only file");
    const connections: Gauge<"purpose"> = new Gauge({
      name: `gateway_${options.role}_redis_connections`,
      help: "Connections to Redis that stand, by what they are for; on a cluster one for each node that was needed",
      labelNames: ["purpose"],
      registers,
      collect: () => {
        for (const [purpose, count] of openConnections()) connections.set({ purpose }, count);
      },
    });
    this.refused = gauge(
      "writes_refused",
      "1 while Redis answers and refuses writes: it is full, without replicas, or cannot write its file",
    );
  }

  /** Why coordination Redis takes no writes although it answers, and what is wrong with a setting, as readiness says it: constant phrases. */
  problems(): readonly string[] {
    const pair = this.wrongPair === undefined ? [] : [[this.wrongPair.server, this.wrongPair.why] as const];
    const clusters = [...this.clusters].flatMap(([server, { why, looks }]) => (looks < clusterLooks ? [] : [[server, why] as const]));
    const wrong = [...this.wrong, ...clusters, ...pair].map(
      ([server, why]) => `${this.options.addresses[server].setting ?? server} ${why}`,
    );
    return [...(this.trouble === undefined ? [] : [`redis takes no writes: it is ${this.trouble}`]), ...new Set(wrong)];
  }

  start(): void {
    this.timer = every(this.options.everyMs ?? everyMs, () => this.askAll());
    this.askAll();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all(this.running.values());
  }

  private askAll(): void {
    const detailed = this.rounds % detailEvery === 0;
    if (this.rounds % pairEvery === 0) void this.lookAtPair();
    this.rounds += 1;
    for (const server of ["coordination", "cache"] as const) {
      // One that has not answered yet is asked again when it has or has given up.
      if (this.running.has(server)) continue;
      this.running.set(
        server,
        this.ask(server, detailed).finally(() => this.running.delete(server)),
      );
    }
  }

  /** Never rejects. */
  private async lookAtPair(): Promise<void> {
    const { servers, addresses } = this.options;
    if (addresses.coordination !== addresses.cache) this.wrongPair = await lookAtPair(servers.coordination, servers.cache);
  }

  /** Never rejects. */
  private async ask(server: RedisServer, detailed: boolean): Promise<void> {
    const redis = this.options.servers[server];
    const masters = mastersOf(redis);
    if (isSpread(redis)) await this.lookAtCluster(server, masters);
    const sentAt = performance.now();
    try {
      if (masters.length === 0) throw new Error("no node of the cluster is known");
      await Promise.all(masters.map((master) => master.ping()));
      this.ping.observe({ server }, (performance.now() - sentAt) / 1_000);
      this.up.set({ server }, 1);
    } catch (error) {
      // A Redis that cannot write its file refuses pings too, which is an answer.
      if (isRefusedWrite(error)) {
        this.refuses(server, redisTrouble(error));
        return;
      }
      // What it said last is not true any more.
      if (server === "coordination") this.trouble = undefined;
      const why = settingTrouble(lastErrorOf(redis), undefined, this.options.addresses[server].access.tls !== undefined);
      if (why !== undefined) this.wrong.set(server, why);
      for (const gauge of [this.used, this.limit, this.evicted, this.unwritten, this.refused]) gauge.remove({ server });
      this.up.set({ server }, 0);
      return;
    }
    // Before a write, whose refusal has the connection look for another master.
    if (detailed) await this.readDetails(server, masters);
    if (server === "coordination") await this.tryWrites(redis, masters);
  }

  /** Never rejects. A node tells also of those that are away. */
  private async lookAtCluster(server: RedisServer, masters: readonly RedisClient[]): Promise<void> {
    const trouble = await askCluster(masters);
    if (trouble === undefined) this.clusters.delete(server);
    else this.clusters.set(server, { why: trouble, looks: (this.clusters.get(server)?.looks ?? 0) + 1 });
  }

  /** Only a write shows whether writes are taken. */
  private async tryWrites(redis: RedisClient, masters: readonly RedisClient[]): Promise<void> {
    try {
      await Promise.all(this.probeKeys(redis, masters).map((key) => redis.set(key, "1", "PX", probeMs)));
      this.refuses("coordination", undefined);
    } catch (error) {
      this.refuses("coordination", isRefusedWrite(error) ? redisTrouble(error) : undefined);
    }
  }

  /** One for each master: of a cluster that which lies on it. */
  private probeKeys(redis: RedisClient, masters: readonly RedisClient[]): string[] {
    const { name } = this.options;
    if (!isSpread(redis)) return [keys.probe(name)];
    const found = new Map<RedisClient | undefined, string>();
    for (let i = 1; found.size < masters.length && i <= probeNamesMax; i += 1) {
      const key = keys.probe(`${name}.${i}`);
      found.set(masterOf(redis, key), key);
    }
    return [...found.values()];
  }

  private refuses(server: RedisServer, trouble: RedisTrouble | undefined): void {
    this.up.set({ server }, 1);
    if (server === "coordination") this.trouble = trouble;
    this.refused.set({ server }, trouble === undefined ? 0 : 1);
  }

  private async readDetails(server: RedisServer, masters: readonly RedisClient[]): Promise<void> {
    try {
      const all = await Promise.all(masters.map(async (master) => infoFields(await master.info())));
      const [found] = all.flatMap((info) => wrongServer(info, this.options.addresses[server].kind, server) ?? []);
      if (found === undefined) this.wrong.delete(server);
      else this.wrong.set(server, found.why);
      this.used.set({ server }, sumOf(all, "used_memory"));
      this.limit.set({ server }, sumOf(all, "maxmemory"));
      this.evicted.set({ server }, sumOf(all, "evicted_keys"));
      this.unwritten.set({ server }, all.some((info) => info["aof_last_write_status"] === "err") ? 1 : 0);
    } catch {
      // A user who may not ask, or an answer that did not come in time: the ping has said what counts.
    }
  }
}

function sumOf(all: readonly InfoFields[], name: string): number {
  return all.reduce((sum, info) => sum + Number(info[name] ?? Number.NaN), 0);
}
