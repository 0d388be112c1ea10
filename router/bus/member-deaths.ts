import type { Burial, MemberRecord } from "../../shared/cluster/membership.js";

/** Why a shard counts as dead; `replaced`: its next life was there before this process had seen the end of the last. */
export type DeathCause = Burial | "replaced";

/** What is needed of the member watch. */
export interface WatchedMembers {
  all(): readonly MemberRecord[];
  on(event: "change", listener: () => void): unknown;
}

/** Calls `onDeath` once for each incarnation of a shard that dies from now on, as the cluster's record says it. A shard that leaves in order does not die. */
export function watchMemberDeaths(members: WatchedMembers, onDeath: (cause: DeathCause) => void): void {
  // As many entries as there are member names.
  const seen = new Map<string, Pick<MemberRecord, "incarnation" | "state">>();
  let first = true;
  members.on("change", () => {
    for (const { name, incarnation, state, buriedBy } of members.all()) {
      const last = seen.get(name);
      seen.set(name, { incarnation, state });
      // Deaths before this process began are known already.
      if (first) continue;
      const replaced = last !== undefined && last.incarnation !== incarnation;
      if (replaced && last.state === "active") onDeath("replaced");
      if (state === "dead" && (last?.state !== "dead" || replaced)) onDeath(buriedBy === "" ? "replaced" : buriedBy);
    }
    first = false;
  });
}
