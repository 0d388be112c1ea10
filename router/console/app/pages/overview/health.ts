import type { ApiFailure } from "../../api/failure.js";
import type { MemberRow } from "../../api/operator-rows.js";
import type { Tone } from "../../ui/tone.js";

/** One part of the deployment, in one word or figure. */
export interface Vital {
  readonly name: string;
  readonly tone: Tone;
  readonly text: string;
}

export interface HealthFacts {
  readonly members: readonly MemberRow[] | undefined;
  readonly failure: Pick<ApiFailure, "message"> | undefined;
  /** The members were not read for a while. */
  readonly stale: boolean;
}

const roles = [
  ["Routers", "router"],
  ["Shards", "shard"],
  ["Supervisors", "supervisor"],
] as const satisfies readonly (readonly [string, MemberRow["role"]])[];

/** Returns whether Redis responds, and how many processes of each role are alive. Pure. */
export function healthOf(facts: HealthFacts): readonly Vital[] {
  const { members, stale } = facts;
  if (members === undefined) return [redisOf(facts)];
  const counted = roles.map(([name, role]): Vital => {
    // A shard that left in order is not missing.
    const all = members.filter((member) => member.role === role && member.state !== "gone");
    const alive = all.filter(({ state, version }) => state !== "dead" && version !== null).length;
    const tone = alive === 0 ? "bad" : alive < all.length ? "warn" : "good";
    return { name, tone: stale ? "idle" : tone, text: alive === all.length ? `${alive} alive` : `${alive} of ${all.length} alive` };
  });
  return [redisOf(facts), ...counted];
}

/** The gateway reads the members from Redis each time, so a response shows that Redis responds. */
function redisOf({ members, failure, stale }: HealthFacts): Vital {
  const name = "Redis";
  if (failure?.message === "storage unavailable") return { name, tone: "bad", text: "Unreachable" };
  return members === undefined || failure !== undefined || stale
    ? { name, tone: "idle", text: "Unknown" }
    : { name, tone: "good", text: "Reachable" };
}
