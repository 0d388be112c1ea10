import type { PlacementMember } from "../../shard/cluster/placement.js";

/** A member and its host, with which it fails. */
export interface HostedMember extends PlacementMember {
  readonly host: string;
}

/** Returns `count` members with `perHost` shards on each host, named as supervisors name them. */
export function hostedMembers(count: number, perHost: number): HostedMember[] {
  return Array.from({ length: count }, (_, i) => {
    const host = `host-${Math.floor(i / perHost) + 1}`;
    return { name: `${host}-shard-${(i % perHost) + 1}`, host, weight: 1 };
  });
}
