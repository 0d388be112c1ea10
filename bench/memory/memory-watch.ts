import { setTimeout as sleep } from "node:timers/promises";
import type { RedisClient } from "../../shared/redis/connect.js";
import type { Gateway } from "../../test/harness/gateway.js";
import { gatewayCache, gatewayRedis } from "../gateway-redis.js";
import { metricOf, scrape } from "../metrics.js";
import { gatewayProcess } from "../profile/gateway-process.js";
import { processMemory, type ProcessMemory } from "./process-memory.js";

/** Memory at one moment: by process, by Redis, and every gauge of the gateway by process and name. */
export interface MemorySample {
  /** In Unix seconds. */
  readonly at: number;
  readonly processes: Readonly<Record<string, ProcessMemory>>;
  /** `used_memory` of each Redis in bytes. */
  readonly redis: Readonly<Record<string, number>>;
  readonly gauges: Readonly<Record<string, number>>;
}

/** Samples a gateway with `routers` routers and its shards from outside, at a steady pace. Must be closed. */
export class MemoryWatch {
  private constructor(
    private readonly ports: ReadonlyMap<string, number>,
    private readonly sandboxPid: number,
    private readonly redis: ReadonlyMap<string, RedisClient>,
  ) {}

  static async open(gateway: Gateway): Promise<MemoryWatch> {
    const routers = gateway.telegram.length;
    const ports = gateway.adminPorts.map((port, index): [string, number] => [
      index < routers ? `router-${index + 1}` : `shard-${index - routers + 1}`,
      port,
    ]);
    ports.push(["supervisor", (gateway.adminPorts.at(-1) ?? 0) + 1]);
    return new MemoryWatch(
      new Map(ports),
      await gatewayProcess(gateway, "sandbox/main.js"),
      new Map([
        ["Redis of sessions", await gatewayRedis(gateway)],
        ["Redis of chunks", await gatewayCache(gateway)],
      ]),
    );
  }

  /** Returns samples every `everyMs` for `seconds`. Rejects when a process cannot be read, because a curve without it proves nothing. */
  async samples(seconds: number, everyMs: number, signal: AbortSignal): Promise<MemorySample[]> {
    const samples: MemorySample[] = [];
    const startedAt = performance.now();
    for (let turn = 0; performance.now() - startedAt < seconds * 1000; turn++) {
      samples.push(await this.sample());
      await sleep(Math.max(0, startedAt + (turn + 1) * everyMs - performance.now()), undefined, { signal });
    }
    return samples;
  }

  /** Returns the memory of the sessions' Redis by kind of key in bytes. Requests the size of every key once. */
  async keyKinds(): Promise<ReadonlyMap<string, number>> {
    const redis = this.redis.get("Redis of sessions");
    const kinds = new Map<string, number>();
    if (redis === undefined) return kinds;
    let cursor = "0";
    do {
      const [next, names] = await redis.scan(cursor, "COUNT", 500);
      const sizes = await Promise.all(names.map((name) => redis.memory("USAGE", name)));
      for (const [index, name] of names.entries()) {
        const kind = name.slice(0, name.indexOf(":") === -1 ? undefined : name.indexOf(":"));
        kinds.set(kind, (kinds.get(kind) ?? 0) + (sizes[index] ?? 0));
      }
      cursor = next;
    } while (cursor !== "0");
    return kinds;
  }

  close(): void {
    for (const client of this.redis.values()) client.disconnect();
  }

  private async sample(): Promise<MemorySample> {
    const processes: Record<string, ProcessMemory> = {};
    const gauges: Record<string, number> = {};
    for (const [name, port] of this.ports) {
      const text = await scrape(port);
      processes[name] = {
        rssBytes: metricOf(text, "process_resident_memory_bytes"),
        descriptors: metricOf(text, "process_open_fds"),
        heapBytes: metricOf(text, "nodejs_heap_size_used_bytes"),
        externalBytes: metricOf(text, "nodejs_external_memory_bytes"),
      };
      for (const gauge of gaugesOf(text)) gauges[`${name} ${gauge}`] = metricOf(text, gauge);
    }
    processes["sandbox"] = await processMemory(this.sandboxPid);
    const redis: Record<string, number> = {};
    for (const [name, client] of this.redis)
      redis[name] = Number(/^used_memory:(\d+)/m.exec(await client.info("memory"))?.[1] ?? Number.NaN);
    return { at: Math.round(Date.now() / 1000), processes, redis, gauges };
  }
}

function gaugesOf(text: string): string[] {
  return [...text.matchAll(/^# TYPE (gateway_\S+) gauge$/gm)].map(([, name = ""]) => name);
}
