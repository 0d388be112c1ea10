import { Counter, Gauge, Histogram, type MetricsRegistry } from "../../../shared/process/metrics/registry.js";
import { durationBuckets } from "../../flow/duration-buckets.js";
import type { ChunkSourceMetrics } from "./chunk-source.js";

/** Declares the metrics of one platform's media chunks. `shown` is the platform's name in the descriptions. */
export function createChunkMetrics(registry: MetricsRegistry, platform: string, shown: string): ChunkSourceMetrics {
  const registers = [registry];
  const chunks = new Histogram({
    name: `gateway_shard_${platform}_chunk_seconds`,
    help: `Duration of fetches of one media chunk from ${shown}`,
    labelNames: ["outcome"],
    buckets: durationBuckets,
    registers,
  });
  const bytesFetched = new Counter({
    name: `gateway_shard_${platform}_chunk_bytes_total`,
    help: `Bytes of media chunks fetched from ${shown} and stored in the cache`,
    registers,
  });
  const inFlight = new Gauge({
    name: `gateway_shard_${platform}_chunks_in_flight_chunks`,
    help: `Media chunks being fetched from ${shown}`,
    registers,
  });
  const inQueue = new Gauge({
    name: `gateway_shard_${platform}_chunks_waiting_chunks`,
    help: "Media chunks whose fetch is queued",
    registers,
  });
  const turns = new Histogram({
    name: `gateway_shard_${platform}_chunk_wait_seconds`,
    help: "Time that queued fetches of media chunks waited for their turn",
    buckets: durationBuckets,
    registers,
  });
  const stored = new Counter({
    name: `gateway_shard_${platform}_chunks_stored_already_total`,
    help: "Requested media chunks that were in the cache when their turn came",
    registers,
  });
  return {
    fetched: (outcome, seconds, bytes) => {
      chunks.observe({ outcome }, seconds);
      bytesFetched.inc(bytes);
    },
    waited: (seconds) => turns.observe(seconds),
    changed: (running, waiting) => {
      inFlight.inc(running);
      inQueue.inc(waiting);
    },
    alreadyStored: () => stored.inc(),
  };
}
