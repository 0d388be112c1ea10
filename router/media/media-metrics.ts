import { Counter, type MetricsRegistry } from "../../shared/process/metrics/registry.js";
import { scrapedCounter, scrapedGauge } from "../../shared/process/metrics/scraped.js";
import type { ChunkMetrics } from "./chunk-loader.js";

/** Metrics of media in a router, without the streams themselves, which `HttpMetrics` counts as responses. */
export class MediaMetrics implements ChunkMetrics {
  private readonly now = { streams: 0, memoryBytes: 0 };
  private readonly lookUps = { link: { hit: 0, miss: 0 }, session: { hit: 0, miss: 0 } };
  private readonly chunks = { memory: 0, redis: 0, shard: 0 };
  private readonly readAheadChunks: Counter<"outcome">;

  constructor(registry: MetricsRegistry) {
    scrapedGauge(registry, "gateway_router_media_streams_open", "Open media streams", () => this.now.streams);
    scrapedGauge(registry, "gateway_router_media_memory_bytes", "Size of the media chunks held in memory", () => this.now.memoryBytes);
    scrapedCounter(
      registry,
      "gateway_router_media_chunks_total",
      "Media chunks served to streams, by source (memory, redis, shard)",
      "source",
      this.chunks,
    );
    const { lookUps } = this;
    new Counter({
      name: "gateway_router_media_known_total",
      help: "Lookups of a media request's link and session in the router's memory, by outcome",
      labelNames: ["of", "outcome"],
      registers: [registry],
      collect() {
        this.reset();
        for (const [of, outcomes] of Object.entries(lookUps))
          for (const [outcome, count] of Object.entries(outcomes)) this.inc({ of, outcome }, count);
      },
    });
    this.readAheadChunks = new Counter({
      name: "gateway_router_media_read_ahead_chunks_total",
      help: "Media chunks fetched ahead of a stream and then sent (used), not needed (unused) or cancelled before they arrived (aborted)",
      labelNames: ["outcome"],
      registers: [registry],
    });
  }

  streamsOpen(count: number): void {
    this.now.streams = count;
  }

  lookup(of: "link" | "session", hit: boolean): void {
    this.lookUps[of][hit ? "hit" : "miss"]++;
  }

  chunkLoaded(source: "memory" | "redis" | "shard"): void {
    this.chunks[source]++;
  }

  readAhead(outcome: "used" | "unused" | "aborted", chunks: number): void {
    this.readAheadChunks.inc({ outcome }, chunks);
  }

  memoryBytes(bytes: number): void {
    this.now.memoryBytes = bytes;
  }
}
