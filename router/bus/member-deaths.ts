import type { Burial, MemberRecord } from "../../shared/cluster/membership.js";

/** Why a shard counts as dead. `replaced`: its next incarnation appeared before this process had seen the death of the last. */
export type DeathCause = Burial | "replaced";

/** The part of the member watch that is used here. */
export interface WatchedMembers {
  all(): readonly MemberRecord[];
  on(event: "change", listener: () => void): unknown;
}

/**
 * Calls `onDeath` once for each incarnation of a shard that the cluster's record declares dead from now on. A shard that leaves in order
 * does not count.
 */
export function watchMemberDeaths(members: WatchedMembers, onDeath: (cause: DeathCause) => void): void {
  // One entry for each member name.
  const seen = new Map<string, Pick<MemberRecord, "incarnation" | "state">>();
  let first = true;
  members.on("change", () => {
    for (const { name, incarnation, state, buriedBy } of members.all()) {
      const last = seen.get(name);
      seen.set(name, { incarnation, state });
      // Shards that died before this process started are not counted.
      if (first) continue;
      const replaced = last !== undefined && last.incarnation !== incarnation;
      if (replaced && last.state === "active") onDeath("replaced");
      if (state === "dead" && (last?.state !== "dead" || replaced)) onDeath(buriedBy === "" ? "replaced" : buriedBy);
    }
    first = false;
  });
}
