import type { MetricsRegistry } from "../../shared/process/metrics/registry.js";
import { scrapedGauge } from "../../shared/process/metrics/scraped.js";
import type { Courier } from "./courier.js";

export type WatchedCourier = Pick<Courier, "inFlight" | "waiting" | "oldestSeconds" | "openCircuits">;

export function watchCourier(registry: MetricsRegistry, courier: WatchedCourier): void {
  const gauge = (name: string, help: string, read: () => number): void => scrapedGauge(registry, name, help, read);
  gauge("gateway_shard_webhook_in_flight_requests", "Webhook requests in flight", () => courier.inFlight);
  gauge("gateway_shard_webhook_outbox_events", "Undelivered webhook events, counted every 10 seconds", () => courier.waiting);
  gauge("gateway_shard_webhook_oldest_event_seconds", "Age of the oldest undelivered webhook event", () => courier.oldestSeconds);
  gauge(
    "gateway_shard_webhook_open_circuits_destinations",
    "Webhook destinations that are paused because they keep failing",
    () => courier.openCircuits,
  );
}
