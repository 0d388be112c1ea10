import type { MetricsRegistry } from "../../shared/process/metrics/registry.js";
import { scrapedGauge } from "../../shared/process/metrics/scraped.js";

export interface WatchedRecords {
  readonly opened: { readonly size: number };
  readonly records: { readonly bytes: number };
}

export function watchRecords(registry: MetricsRegistry, { opened, records }: WatchedRecords): void {
  scrapedGauge(
    registry,
    "gateway_router_session_records_bytes",
    "Size of the decrypted session records in memory, at most 32 MiB",
    () => opened.size,
  );
  scrapedGauge(
    registry,
    "gateway_router_session_records_current_bytes",
    "Size of the session records that the router serves without a Redis read, at most 32 MiB",
    () => records.bytes,
  );
}
