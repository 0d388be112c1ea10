import type { MetricsRegistry } from "../../shared/process/metrics/registry.js";
import { scrapedGauge } from "../../shared/process/metrics/scraped.js";
import { Poll } from "../../shared/flow/poll.js";
import type { Log } from "../../shared/log/logger.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { infoFields } from "../../shared/redis/info-fields.js";
import { keys } from "../../shared/redis/keys.js";
import { masterOf, mastersOf, serverOf } from "../../shared/redis/topology.js";

export interface ReplicaMetrics {
  /** Counts writes that waited `seconds` together; `confirmed`: a replica has them. */
  replicated(writes: number, confirmed: boolean, seconds: number): void;
}

export interface ReplicaGateOptions {
  /** A connection of its own, because a wait blocks it. */
  readonly redis: RedisClient;
  /** Longest wait in milliseconds; 0 turns waiting off. */
  readonly waitMs: number;
  readonly metrics: ReplicaMetrics;
  readonly log: Log;
}

const refreshMs = 2_000;
/** Time for which writes do not wait again after a replica did not confirm. */
const skipMs = 5_000;
const markMs = 1_000;

interface Server {
  replicas: number;
  skipUntil: number;
  running: boolean;
  waiting: { readonly key: string; readonly go: () => void }[];
}

/**
 * Holds writers until a replica has their writes, so that a failover does not lose them. Without a confirmation the write stands on its
 * master alone and is counted. `WAIT` covers its own connection only, so a mark is written there first.
 */
export class ReplicaGate {
  private readonly servers = new Map<string, Server>();
  private readonly poll = new Poll(refreshMs, () => this.refresh());

  constructor(private readonly options: ReplicaGateOptions) {}

  async start(): Promise<void> {
    if (this.options.waitMs === 0) return;
    await this.poll.now();
    this.poll.start();
  }

  async stop(): Promise<void> {
    await this.poll.stop();
  }

  /** Replicas of the master that has the fewest. */
  get replicas(): number {
    const counts = [...this.servers.values()].map(({ replicas }) => replicas);
    return counts.length === 0 ? 0 : Math.min(...counts);
  }

  /** Resolves when a replica has everything written under this key before, or does not confirm it. Never rejects. */
  async confirm(key: string): Promise<void> {
    const master = masterOf(this.options.redis, key);
    const server = master && this.servers.get(nameOf(master));
    if (master === undefined || server === undefined || server.replicas === 0) return;
    if (performance.now() < server.skipUntil) {
      this.options.metrics.replicated(1, false, 0);
      return;
    }
    await new Promise<void>((go) => {
      server.waiting.push({ key, go });
      if (!server.running) void this.run(master, server);
    });
  }

  /** Never rejects. */
  private async run(master: RedisClient, server: Server): Promise<void> {
    server.running = true;
    for (;;) {
      const waited = server.waiting.splice(0);
      const [first] = waited;
      if (first === undefined) break;
      const startedAt = performance.now();
      const confirmed = await this.waitForReplica(master, first.key);
      if (!confirmed) server.skipUntil = performance.now() + skipMs;
      this.options.metrics.replicated(waited.length, confirmed, (performance.now() - startedAt) / 1_000);
      for (const { go } of waited) go();
    }
    server.running = false;
  }

  private async waitForReplica(master: RedisClient, key: string): Promise<boolean> {
    try {
      const [, replicas] = await Promise.all([
        master.set(keys.replicaMark(key), "1", "PX", markMs),
        master.call("WAIT", "1", String(this.options.waitMs)),
      ]);
      return typeof replicas === "number" && replicas > 0;
    } catch (error) {
      this.options.log.debug({ err: error }, "replica acknowledgement unavailable");
      return false;
    }
  }

  /** Never rejects. */
  private async refresh(): Promise<void> {
    const masters = new Map(mastersOf(this.options.redis).map((master) => [nameOf(master), master]));
    for (const name of [...this.servers.keys()]) if (!masters.has(name)) this.servers.delete(name);
    await Promise.allSettled(
      [...masters].map(async ([name, master]) => {
        const replicas = Number(infoFields(await master.info("replication"))["connected_slaves"] ?? 0);
        const server = this.servers.get(name);
        if (server === undefined) this.servers.set(name, { replicas, skipUntil: 0, running: false, waiting: [] });
        else server.replicas = replicas;
      }),
    );
  }
}

function nameOf(master: RedisClient): string {
  const { host = "", port = 0 } = serverOf(master) ?? {};
  return `${host}:${port}`;
}

export function watchReplicas(registry: MetricsRegistry, gate: Pick<ReplicaGate, "replicas">): void {
  scrapedGauge(
    registry,
    "gateway_shard_redis_replicas",
    "Replicas of coordination Redis, on a cluster of the primary with the fewest",
    () => gate.replicas,
  );
}
