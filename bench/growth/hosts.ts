import type { PlacementMember } from "../../shard/cluster/placement.js";

/** A member and the host that takes it along when it goes. */
export interface HostedMember extends PlacementMember {
  readonly host: string;
}

/** Hosts with so many shards each, by the names that supervisors give. */
export function hostedMembers(count: number, perHost: number): HostedMember[] {
  return Array.from({ length: count }, (_, i) => {
    const host = `host-${Math.floor(i / perHost) + 1}`;
    return { name: `${host}-shard-${(i % perHost) + 1}`, host, weight: 1 };
  });
}
