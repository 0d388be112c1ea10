import { Gauge, type MetricsRegistry } from "../../shared/process/metrics/registry.js";
import type { ShardQuotas } from "../../shared/tenant/kept-by-shards.js";

/** The tenant quotas that a shard enforces. */
export type ShardQuota = keyof ShardQuotas;

export function watchQuotas(registry: MetricsRegistry, places: Readonly<Record<ShardQuota, { readonly waiting: number }>>): void {
  new Gauge({
    name: "gateway_shard_quota_waiting_tasks",
    help: "Tasks queued because their tenant is at its concurrency quota",
    labelNames: ["quota"],
    registers: [registry],
    collect() {
      for (const [quota, { waiting }] of Object.entries(places)) this.set({ quota }, waiting);
    },
  });
}
