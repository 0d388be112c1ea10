import type { MetricsRegistry } from "../../shared/process/metrics/registry.js";
import { scrapedGauge } from "../../shared/process/metrics/scraped.js";
import type { KeyDirectory } from "./key-directory.js";

export function watchDirectory(registry: MetricsRegistry, directory: Pick<KeyDirectory, "extent">): void {
  const gauge = (name: string, help: string, read: () => number): void => scrapedGauge(registry, name, help, read);
  gauge("gateway_router_directory_tenants", "Tenants in this router's memory, at most 10,000", () => directory.extent.tenants);
  gauge(
    "gateway_router_directory_keys",
    "Stored API keys in this router's memory, at most 10,000 and without those of API_KEYS",
    () => directory.extent.keys,
  );
  gauge(
    "gateway_router_directory_age_seconds",
    "Age of the list of tenants and API keys, past 60 seconds of which keys outside API_KEYS get a 503",
    () => directory.extent.ageMs / 1_000,
  );
}
