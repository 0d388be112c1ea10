import type { MetricsRegistry } from "../../shared/process/metrics/registry.js";
import { scrapedGauge } from "../../shared/process/metrics/scraped.js";
import type { Courier } from "./courier.js";

export type WatchedCourier = Pick<Courier, "inFlight" | "waiting" | "oldestSeconds" | "openCircuits">;

export function watchCourier(registry: MetricsRegistry, courier: WatchedCourier): void {
  const gauge = (name: string, help: string, read: () => number): void => scrapedGauge(registry, name, help, read);
  gauge("gateway_shard_webhook_in_flight_requests", "Webhook requests in flight", () => courier.inFlight);
  gauge("gateway_shard_webhook_outbox_events", "Events that wait for their receivers, as counted every 10 s", () => courier.waiting);
  gauge("gateway_shard_webhook_oldest_event_seconds", "Age of the event that waits the longest", () => courier.oldestSeconds);
  gauge(
    "gateway_shard_webhook_open_circuits_destinations",
    "Destinations that keep failing and are left alone",
    () => courier.openCircuits,
  );
}
