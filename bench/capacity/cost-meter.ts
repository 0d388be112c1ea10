import { setTimeout as sleep } from "node:timers/promises";
import type { WorkCosts } from "../../deploy/cli/capacity/unit-costs.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import type { Gateway } from "../../test/harness/gateway.js";
import { gatewayCache, gatewayRedis } from "../gateway-redis.js";
import { MemoryWatch } from "../memory/memory-watch.js";
import { metricOf, scrape } from "../metrics.js";

/** Counters of the gateway's only router, only shard and both Redis since their start. */
interface Counters {
  readonly at: number;
  readonly shardCpuMs: number;
  readonly routerCpuMs: number;
  readonly redisCpuMs: number;
  readonly cacheCpuMs: number;
  readonly fileBytes: number;
}

/** Key kinds that expire after a quarter of an hour: records of commands, and stream entries in flight. */
const briefKinds = ["result", "commands", "replies"];

/** Measures what work costs each process, and Redis' memory and file. Must be closed. */
export class CostMeter {
  private constructor(
    private readonly gateway: Gateway,
    private readonly redis: RedisClient,
    private readonly cache: RedisClient,
    private readonly memory: MemoryWatch,
    private readonly idle?: { readonly from: Counters; readonly to: Counters },
  ) {}

  static async open(gateway: Gateway): Promise<CostMeter> {
    return new CostMeter(gateway, await gatewayRedis(gateway), await gatewayCache(gateway), await MemoryWatch.open(gateway));
  }

  /** Returns a meter that subtracts the idle cost of the processes, such as idle sessions and heartbeats. */
  async afterIdling(ms: number, signal: AbortSignal): Promise<CostMeter> {
    const from = await this.counters();
    await sleep(ms, undefined, { signal });
    return new CostMeter(this.gateway, this.redis, this.cache, this.memory, { from, to: await this.counters() });
  }

  /** Returns the cost of one unit of work, where `work` does `count` of them. */
  async of(count: number, work: () => Promise<void>): Promise<WorkCosts> {
    // Read before the counters: scanning all keys costs Redis more than most work does.
    const keysBefore = await this.memory.keyKinds();
    const before = await this.counters();
    await work();
    const after = await this.counters();
    const keysAfter = await this.memory.keyKinds();
    const { from, to } = this.idle ?? { from: before, to: before };
    const idleShare = to.at === from.at ? 0 : (after.at - before.at) / (to.at - from.at);
    const each = (read: (counters: Counters) => number): number =>
      Math.max(0, read(after) - read(before) - (read(to) - read(from)) * idleShare) / count;
    const grown = (isBrief: boolean): number =>
      [...keysAfter]
        .filter(([kind]) => briefKinds.includes(kind) === isBrief)
        .reduce((sum, [kind, bytes]) => sum + bytes - (keysBefore.get(kind) ?? 0), 0) / count;
    if (after.fileBytes < before.fileBytes) throw new Error("Redis has rewritten its file meanwhile: its growth cannot be told");
    return {
      shardCpuMs: each(({ shardCpuMs }) => shardCpuMs),
      routerCpuMs: each(({ routerCpuMs }) => routerCpuMs),
      redisCpuMs: each(({ redisCpuMs }) => redisCpuMs),
      cacheCpuMs: each(({ cacheCpuMs }) => cacheCpuMs),
      fileBytes: each(({ fileBytes }) => fileBytes),
      briefBytes: grown(true),
      dayBytes: grown(false),
    };
  }

  async shardBytes(): Promise<number> {
    return metricOf(await scrape(this.gateway.adminPorts.at(-1) ?? 0), "process_resident_memory_bytes");
  }

  /** Returns the sum of `MEMORY USAGE` over all keys. */
  async keyBytes(): Promise<number> {
    return [...(await this.memory.keyKinds()).values()].reduce((sum, bytes) => sum + bytes, 0);
  }

  close(): void {
    this.redis.disconnect();
    this.cache.disconnect();
    this.memory.close();
  }

  private async counters(): Promise<Counters> {
    const [router = 0, shard = 0] = this.gateway.adminPorts;
    const cpuOf = async (port: number): Promise<number> => metricOf(await scrape(port), "process_cpu_seconds_total") * 1_000;
    return {
      at: performance.now(),
      shardCpuMs: await cpuOf(shard),
      routerCpuMs: await cpuOf(router),
      redisCpuMs: await redisCpuMs(this.redis),
      cacheCpuMs: await redisCpuMs(this.cache),
      fileBytes: Number(/^aof_current_size:(\d+)/m.exec(await this.redis.info("persistence"))?.[1] ?? Number.NaN),
    };
  }
}

async function redisCpuMs(redis: RedisClient): Promise<number> {
  const info = await redis.info("cpu");
  const seconds = (name: string): number => Number(new RegExp(`^${name}:([\\d.]+)`, "m").exec(info)?.[1] ?? Number.NaN);
  return (seconds("used_cpu_sys") + seconds("used_cpu_user")) * 1_000;
}
