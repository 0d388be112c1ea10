import type { MemberRecord } from "../../shared/cluster/membership.js";
import { Gauge, type MetricsRegistry } from "../../shared/process/metrics/registry.js";

export function watchShards(registry: MetricsRegistry, members: { all(): readonly Pick<MemberRecord, "state">[] }): void {
  new Gauge({
    name: "gateway_router_members_shards",
    help: "Shards in this router's member list, by state (gone after an orderly stop)",
    labelNames: ["state"],
    registers: [registry],
    collect() {
      const all = members.all();
      for (const state of ["active", "draining", "dead", "gone"] as const)
        this.set({ state }, all.filter((member) => member.state === state).length);
    },
  });
}
