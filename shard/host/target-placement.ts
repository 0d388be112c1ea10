import type { MemberRecord } from "../../shared/cluster/membership.js";
import { readMarks } from "../../shared/cluster/operator-marks.js";
import { targetMap, type PlacementMember } from "./placement.js";
import type { RedisClient } from "../../shared/redis/connect.js";

export interface TargetPlacementOptions {
  redis: RedisClient;
  members: { all(): readonly MemberRecord[] };
}

/** Which member should own each slot as the members now are, and for how long that has been so. */
export class TargetPlacement {
  private fingerprint = "";
  private since = 0;
  private current: readonly string[] = [];

  constructor(private readonly options: TargetPlacementOptions) {}

  get map(): readonly string[] {
    return this.current;
  }

  get ageMs(): number {
    return performance.now() - this.since;
  }

  async refresh(): Promise<void> {
    const { pins, drained } = await readMarks(this.options.redis);
    const members = placeable(this.options.members.all(), drained);
    const fingerprint = JSON.stringify([members, [...pins]]);
    if (fingerprint === this.fingerprint) return;
    this.fingerprint = fingerprint;
    this.since = performance.now();
    this.current = targetMap(members, pins);
  }
}

/** Whoever was drained by an operator, leaves, has left or is dead gets no slots; and only names and weights say who gets which. */
export function placeable(members: readonly MemberRecord[], drained: ReadonlySet<string>): PlacementMember[] {
  return members.flatMap(({ name, weight, state }) => (state === "active" && !drained.has(name) ? [{ name, weight }] : []));
}
