import { every } from "../../flow/every.js";
import type { RedisAddress } from "../../redis/address.js";
import { checkPair, type WrongPair } from "../../redis/cache-owner.js";
import { readClusterTrouble } from "../../redis/cluster-trouble.js";
import { settingTrouble } from "../../redis/connect-trouble.js";
import { lastErrorOf, openConnections, type RedisClient } from "../../redis/connect.js";
import { keys } from "../../redis/keys.js";
import { isRefusedWrite, redisTrouble, type RedisTrouble } from "../../flow/redis-trouble.js";
import { infoFields, type InfoFields } from "../../redis/info-fields.js";
import { wrongServer, type RedisServer } from "../../redis/wrong-server.js";
import { isSpread, masterOf, mastersOf } from "../../redis/topology.js";
import { Gauge, Histogram, type MetricsRegistry } from "./registry.js";

/** Interval between two pings of one server. */
const everyMs = 2_000;
/** Every fifth ping also reads memory and disk, whose reply has some kilobytes. */
const detailEvery = 5;
/** Every thirtieth ping checks whether both servers belong to one cluster. */
const pairEvery = 30;

/** An incomplete cluster is reported from this check on, because a failover ends sooner. */
const clusterChecksMin = 3;

/** How long a probe's key lives. */
const probeMs = 10_000;
/** Most names tried to find a probe key on each master. A master with very few hash slots may get no probe. */
const probeNamesMax = 1_000;

export interface RedisProbeOptions {
  /** First word of the metrics' names. */
  role: "router" | "shard";
  registry: MetricsRegistry;
  /** Name of the process, unique in the cluster. */
  name: string;
  /** Connections whose commands time out by themselves, because a probe has no timeout of its own. */
  servers: Readonly<Record<RedisServer, RedisClient>>;
  /** Addresses from the settings. */
  addresses: Readonly<Record<RedisServer, RedisAddress>>;
  /** Shorter in tests. */
  everyMs?: number;
}

/**
 * Pings Redis every 2 s and reads its memory and disk state every 10 s. A cluster is as healthy as
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
  /** Reason why a cluster does not serve all keys, as text after the setting's name, and the number of checks that found it. */
  private readonly clusters = new Map<RedisServer, { readonly why: string; readonly failures: number }>();
  /** Error of a setting, as text after its name. */
  private readonly wrong = new Map<RedisServer, string>();
  /** Error of both servers' settings together. */
  private wrongPair: WrongPair | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: RedisProbeOptions) {
    const registers = [options.registry];
    const labelNames = ["server"] as const;
    const gauge = (name: string, help: string): Gauge<"server"> =>
      new Gauge({ name: `gateway_${options.role}_redis_${name}`, help, labelNames, registers });
    this.up = gauge("up", "1 while Redis replies to pings, else 0");
    this.ping = new Histogram({
      name: `gateway_${options.role}_redis_ping_seconds`,
      help: "Round-trip time of the pings, sent every 2 seconds, that Redis replied to",
      labelNames,
      buckets: [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 3],
      registers,
    });
    this.used = gauge("memory_used_bytes", "Value of used_memory in Redis, read every 10 seconds");
    this.limit = gauge("memory_limit_bytes", "Value of maxmemory in Redis, or 0 without a limit");
    this.evicted = gauge("evicted_keys", "Keys that Redis has evicted since it started");
    this.unwritten = gauge("file_failing", "1 while Redis cannot write its append-only file, else 0");
    const connections: Gauge<"purpose"> = new Gauge({
      name: `gateway_${options.role}_redis_connections`,
      help: "Open connections to Redis by purpose, one per node in use on a cluster",
      labelNames: ["purpose"],
      registers,
      collect: () => {
        for (const [purpose, count] of openConnections()) connections.set({ purpose }, count);
      },
    });
    this.refused = gauge(
      "writes_refused",
      "1 while Redis replies but rejects writes because it is full, lacks replicas or cannot write its file, else 0",
    );
  }

  /** Whether coordination Redis replied to the latest probe and refused its write. */
  get refusesWrites(): boolean {
    return this.trouble !== undefined;
  }

  /** Returns constant phrases for readiness: why coordination Redis refuses writes although it responds, and errors of settings. */
  problems(): readonly string[] {
    const pair = this.wrongPair === undefined ? [] : [[this.wrongPair.server, this.wrongPair.why] as const];
    const clusters = [...this.clusters].flatMap(([server, { why, failures }]) =>
      failures < clusterChecksMin ? [] : [[server, why] as const],
    );
    const wrong = [...this.wrong, ...clusters, ...pair].map(
      ([server, why]) => `${this.options.addresses[server].setting ?? server} ${why}`,
    );
    return [...(this.trouble === undefined ? [] : [`redis takes no writes: it is ${this.trouble}`]), ...new Set(wrong)];
  }

  start(): void {
    this.timer = every(this.options.everyMs ?? everyMs, () => this.probeAll());
    this.probeAll();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all(this.running.values());
  }

  private probeAll(): void {
    const detailed = this.rounds % detailEvery === 0;
    if (this.rounds % pairEvery === 0) void this.checkPair();
    this.rounds += 1;
    for (const server of ["coordination", "cache"] as const) {
      // A server with a ping in flight is pinged again once that ping ends.
      if (this.running.has(server)) continue;
      this.running.set(
        server,
        this.probe(server, detailed).finally(() => this.running.delete(server)),
      );
    }
  }

  /** Never rejects. */
  private async checkPair(): Promise<void> {
    const { servers, addresses } = this.options;
    if (addresses.coordination !== addresses.cache) this.wrongPair = await checkPair(servers.coordination, servers.cache);
  }

  /** Never rejects. */
  private async probe(server: RedisServer, detailed: boolean): Promise<void> {
    const redis = this.options.servers[server];
    const masters = mastersOf(redis);
    if (isSpread(redis)) await this.checkCluster(server, masters);
    const sentAt = performance.now();
    try {
      if (masters.length === 0) throw new Error("no node of the cluster is known");
      await Promise.all(masters.map((master) => master.ping()));
      this.ping.observe({ server }, (performance.now() - sentAt) / 1_000);
      this.up.set({ server }, 1);
    } catch (error) {
      // A Redis that cannot write its file refuses pings too, but it did respond.
      if (isRefusedWrite(error)) {
        this.refuses(server, redisTrouble(error));
        return;
      }
      // The last known trouble is stale.
      if (server === "coordination") this.trouble = undefined;
      const why = settingTrouble(lastErrorOf(redis), undefined, this.options.addresses[server].access.tls !== undefined);
      if (why !== undefined) this.wrong.set(server, why);
      for (const gauge of [this.used, this.limit, this.evicted, this.unwritten, this.refused]) gauge.remove({ server });
      this.up.set({ server }, 0);
      return;
    }
    // Runs before the write, because after a refused write the connection searches for another master.
    if (detailed) await this.readDetails(server, masters);
    if (server === "coordination") await this.tryWrites(redis, masters);
  }

  /** Never rejects. A node also lists the nodes that are away. */
  private async checkCluster(server: RedisServer, masters: readonly RedisClient[]): Promise<void> {
    const trouble = await readClusterTrouble(masters);
    if (trouble === undefined) this.clusters.delete(server);
    else this.clusters.set(server, { why: trouble, failures: (this.clusters.get(server)?.failures ?? 0) + 1 });
  }

  /** Writes a key, because only a write shows whether Redis accepts writes. */
  private async tryWrites(redis: RedisClient, masters: readonly RedisClient[]): Promise<void> {
    try {
      await Promise.all(this.probeKeys(redis, masters).map((key) => redis.set(key, "1", "PX", probeMs)));
      this.refuses("coordination", undefined);
    } catch (error) {
      this.refuses("coordination", isRefusedWrite(error) ? redisTrouble(error) : undefined);
    }
  }

  /** Returns one key, or in a cluster one key for each master that lies on that master. */
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
      // The user has no permission, or the reply timed out; the ping alone is enough.
    }
  }
}

function sumOf(all: readonly InfoFields[], name: string): number {
  return all.reduce((sum, info) => sum + Number(info[name] ?? Number.NaN), 0);
}
