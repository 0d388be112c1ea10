import type { MetricsRegistry } from "../../shared/process/metrics/registry.js";
import { scrapedGauge } from "../../shared/process/metrics/scraped.js";
import type { KeyDirectory } from "./key-directory.js";

export function watchDirectory(registry: MetricsRegistry, directory: Pick<KeyDirectory, "extent">): void {
  const gauge = (name: string, help: string, read: () => number): void => scrapedGauge(registry, name, help, read);
  gauge("gateway_router_directory_tenants", "Tenants that this router knows; there are 10,000 at most", () => directory.extent.tenants);
  gauge(
    "gateway_router_directory_keys",
    "API keys that this router knows beside those of API_KEYS; there are 10,000 at most",
    () => directory.extent.keys,
  );
  gauge(
    "gateway_router_directory_age_seconds",
    "Time since Redis last said which tenants and API keys there are; past 60 a key that is not of API_KEYS is answered with 503",
    () => directory.extent.ageMs / 1_000,
  );
}
