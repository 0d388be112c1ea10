import type { MemberRecord } from "../../shared/cluster/membership.js";
import { readMarks } from "../../shared/cluster/operator-marks.js";
import { targetMap, type PlacementMember } from "./placement.js";
import type { RedisClient } from "../../shared/redis/connect.js";

export interface TargetPlacementOptions {
  redis: RedisClient;
  members: { all(): readonly MemberRecord[] };
}

/** Which member should own each slot as the members now are and operators say, and for how long the members have been so. */
export class TargetPlacement {
  private fingerprint = "";
  private active = "";
  private since = 0;
  private current: readonly string[] = [];
  private drained: ReadonlySet<string> = new Set();

  constructor(private readonly options: TargetPlacementOptions) {}

  get map(): readonly string[] {
    return this.current;
  }

  /** An operator's word begins no new wait: it is meant, where a member that has gone may be back in a moment. */
  get ageMs(): number {
    return performance.now() - this.since;
  }

  /** False when other members are active than those that the map was made of: it may give away the slots of one that has come back since. */
  get fits(): boolean {
    return this.active === this.activeNow();
  }

  /** An operator has said that this member gets no slots. */
  isDrained(member: string): boolean {
    return this.drained.has(member);
  }

  async refresh(): Promise<void> {
    const { pins, drained } = await readMarks(this.options.redis);
    this.drained = drained;
    const all = this.options.members.all();
    const active = this.activeNow();
    if (active !== this.active) this.since = performance.now();
    this.active = active;
    const members = placeable(all, drained);
    const fingerprint = JSON.stringify([members, [...pins]]);
    if (fingerprint === this.fingerprint) return;
    this.fingerprint = fingerprint;
    this.current = targetMap(members, pins);
  }

  private activeNow(): string {
    return JSON.stringify(placeable(this.options.members.all(), new Set()));
  }
}

/** Whoever was drained by an operator, leaves, has left or is dead gets no slots; and only names and weights say who gets which. */
export function placeable(members: readonly MemberRecord[], drained: ReadonlySet<string>): PlacementMember[] {
  return members.flatMap(({ name, weight, state }) => (state === "active" && !drained.has(name) ? [{ name, weight }] : []));
}
