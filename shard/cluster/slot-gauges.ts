import type { MetricsRegistry } from "../../shared/process/metrics/registry.js";
import { scrapedGauge } from "../../shared/process/metrics/scraped.js";

export interface WatchedSlots {
  readonly held: { readonly count: number };
  readonly keeper: { readonly isDrained: boolean };
  readonly lease: { secondsLeft(): number };
}

export function watchSlots(registry: MetricsRegistry, { held, keeper, lease }: WatchedSlots): void {
  const gauge = (name: string, help: string, read: () => number): void => scrapedGauge(registry, name, help, read);
  gauge("gateway_shard_slots_owned_slots", "Slots owned by this shard", () => held.count);
  gauge("gateway_shard_drained", "1 while this shard is drained and receives no slots, else 0", () => Number(keeper.isDrained));
  gauge("gateway_shard_lease_validity_seconds", "Time until the shard's lease expires", () => lease.secondsLeft());
}
