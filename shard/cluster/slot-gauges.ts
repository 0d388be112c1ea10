import type { MetricsRegistry } from "../../shared/process/metrics/registry.js";
import { scrapedGauge } from "../../shared/process/metrics/scraped.js";

export interface WatchedSlots {
  readonly held: { readonly count: number };
  readonly keeper: { readonly isDrained: boolean };
  readonly lease: { secondsLeft(): number };
}

export function watchSlots(registry: MetricsRegistry, { held, keeper, lease }: WatchedSlots): void {
  const gauge = (name: string, help: string, read: () => number): void => scrapedGauge(registry, name, help, read);
  gauge("gateway_shard_slots_owned_slots", "Slots that this shard owns", () => held.count);
  gauge("gateway_shard_drained", "1 while an operator has drained this shard: it gives its slots away and gets none", () =>
    Number(keeper.isDrained),
  );
  gauge("gateway_shard_lease_validity_seconds", "Seconds for which the lease is still valid", () => lease.secondsLeft());
}
