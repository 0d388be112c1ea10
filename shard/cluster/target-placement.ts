import type { MemberRecord } from "../../shared/cluster/membership.js";
import { readMarks } from "../../shared/cluster/operator-marks.js";
import { SerialQueue } from "../../shared/flow/serial-queue.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { TimeSlice } from "../flow/time-slice.js";
import { placeSlots, type PlacementMember } from "./placement.js";
import { SlotScores } from "./slot-scores.js";

/** A placement among a thousand members takes some 50 ms, and their first one half a second: nothing else waits much longer for it than this. */
const sliceMs = 2;

export interface TargetPlacementOptions {
  redis: RedisClient;
  members: { all(): readonly MemberRecord[] };
}

/** Which member should own each slot as the members now are and operators say, and for how long the members have been so. */
export class TargetPlacement {
  private readonly scores = new SlotScores();
  /** One placement at a time: the scores are those of its members. */
  private readonly refreshes = new SerialQueue();
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

  refresh(): Promise<void> {
    return this.refreshes.run(() => this.place());
  }

  private async place(): Promise<void> {
    const { pins, drained } = await readMarks(this.options.redis);
    this.drained = drained;
    const active = this.activeNow();
    if (active !== this.active) this.since = performance.now();
    const members = placeable(this.options.members.all(), drained);
    const fingerprint = JSON.stringify([members, [...pins]]);
    if (fingerprint !== this.fingerprint) {
      this.current = await this.placed(members, pins);
      this.fingerprint = fingerprint;
    }
    this.active = active;
  }

  private async placed(members: readonly PlacementMember[], pins: ReadonlyMap<number, string>): Promise<readonly string[]> {
    const slice = new TimeSlice(sliceMs);
    const steps = placeSlots(this.scores, members, pins);
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      while (slice.isSpent()) await slice.yield();
    }
  }

  private activeNow(): string {
    return JSON.stringify(placeable(this.options.members.all(), new Set()));
  }
}

/** Whoever was drained by an operator, leaves, has left or is dead gets no slots; and only names and weights say who gets which. */
export function placeable(members: readonly MemberRecord[], drained: ReadonlySet<string>): PlacementMember[] {
  return members.flatMap(({ name, weight, state }) => (state === "active" && !drained.has(name) ? [{ name, weight }] : []));
}
