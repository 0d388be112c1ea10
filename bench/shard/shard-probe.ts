import { writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Gateway } from "../../test/harness/gateway.js";
import { metricOf, scrape } from "../metrics.js";
import { recordProfile } from "../profile/record-profile.js";
import { Inspector } from "./inspector.js";
import { restartShard } from "./restart-shard.js";

/** Resources that the shard's process has used, without its render process. */
export interface Usage {
  /** Time of the reading in monotonic milliseconds. */
  readonly at: number;
  /** CPU of all threads since the process started. */
  readonly cpuSeconds: number;
  readonly rssBytes: number;
  readonly heapBytes: number;
  /** Buffers, whose memory is not in the heap. */
  readonly externalBytes: number;
  /** The longest delay of a timer since the last reading. */
  readonly longestBlockMs: number;
  /** The 99th percentile since the last reading, which includes the timer's own interval of 10 ms. */
  readonly p99LagMs: number;
  readonly text: string;
}

/** For `NODE_OPTIONS` of a gateway whose shard is to be inspected. */
export const inspectPort = 29_229;
export const inspectable = { NODE_OPTIONS: `--inspect-port=127.0.0.1:${inspectPort}` };

/** Observes the gateway's only shard from outside: through its metrics, and through its inspector for values without a metric. */
export class ShardProbe {
  private readonly adminPort: number;

  constructor(private readonly gateway: Gateway) {
    this.adminPort = gateway.adminPorts.at(-1) ?? 0;
  }

  async usage(): Promise<Usage> {
    const text = await scrape(this.adminPort);
    return {
      at: performance.now(),
      cpuSeconds: metricOf(text, "process_cpu_seconds_total"),
      rssBytes: metricOf(text, "process_resident_memory_bytes"),
      heapBytes: metricOf(text, "nodejs_heap_size_used_bytes"),
      externalBytes: metricOf(text, "nodejs_external_memory_bytes"),
      longestBlockMs: metricOf(text, "nodejs_eventloop_lag_max_seconds") * 1000,
      p99LagMs: metricOf(text, "nodejs_eventloop_lag_p99_seconds") * 1000,
      text,
    };
  }

  /** Takes a reading after a full garbage collection, so that garbage does not count. */
  async usageAfterGc(): Promise<Usage> {
    await this.inspected(async (inspector) => {
      for (let round = 0; round < 2; round++) await inspector.call("HeapProfiler.collectGarbage");
    });
    // The allocator returns pages a moment later.
    await sleep(gcSettleMs);
    return await this.usage();
  }

  /** Runs `work` under the sampling profiler, and writes a `.cpuprofile` that Chrome and VS Code open. */
  async profiled<T>(file: string, work: () => Promise<T>): Promise<T> {
    const { result, profile } = await this.inspected((inspector) => recordProfile(inspector, work));
    await writeFile(file, JSON.stringify(profile));
    return result;
  }

  /** Resolves with the time at which the new process existed. */
  restart(): Promise<number> {
    return restartShard(this.gateway, "shard-1");
  }

  private async inspected<T>(work: (inspector: Inspector) => Promise<T>): Promise<T> {
    const inspector = await Inspector.open(await this.gateway.shardPid("shard-1"), inspectPort);
    try {
      return await work(inspector);
    } finally {
      inspector.close();
    }
  }
}

const gcSettleMs = 1_000;

/** Returns the CPU of the shard between two readings, as a share of one core. */
export function cpuShare(from: Usage, to: Usage): number {
  return ((to.cpuSeconds - from.cpuSeconds) * 1000) / (to.at - from.at);
}
