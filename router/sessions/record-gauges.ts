import type { MetricsRegistry } from "../../shared/process/metrics/registry.js";
import { scrapedGauge } from "../../shared/process/metrics/scraped.js";

export interface WatchedRecords {
  readonly opened: { readonly size: number };
  readonly records: { readonly bytes: number };
}

export function watchRecords(registry: MetricsRegistry, { opened, records }: WatchedRecords): void {
  scrapedGauge(registry, "gateway_router_session_records_bytes", "Opened records of sessions in memory; 32 MiB at most", () => opened.size);
  scrapedGauge(
    registry,
    "gateway_router_session_records_current_bytes",
    "Records of sessions that are served without asking Redis, which are in memory once if they are among the opened ones; 32 MiB at most",
    () => records.bytes,
  );
}
