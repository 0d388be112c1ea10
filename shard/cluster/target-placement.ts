import type { MemberRecord } from "../../shared/cluster/membership.js";
import { readMarks } from "../../shared/cluster/operator-marks.js";
import { SerialQueue } from "../../shared/flow/serial-queue.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { TimeSlice } from "../flow/time-slice.js";
import { placeSlots, type PlacementMember } from "./placement.js";
import { SlotScores } from "./slot-scores.js";

/** Longest time that a placement delays other work at once: among a thousand members it takes about 50 ms, the first one half a second. */
const sliceMs = 2;

export interface TargetPlacementOptions {
  redis: RedisClient;
  members: { all(): readonly MemberRecord[] };
}

/** Computes which member should own each slot from the current members and pins, and how long the members have been unchanged. */
export class TargetPlacement {
  private readonly scores = new SlotScores();
  /** One placement at a time, because the scores hold the columns of its members. */
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

  /** An operator's change does not restart the wait: it is intended, while a member that has gone may be back in a moment. */
  get ageMs(): number {
    return performance.now() - this.since;
  }

  /** False when the active members differ from the map's: the map may give away slots of a member that is back. */
  get fits(): boolean {
    return this.active === this.activeNow();
  }

  /** True when an operator has drained this member. */
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

/** Returns the members that may get slots: not drained, leaving, gone or dead. Only names and weights decide the placement. */
export function placeable(members: readonly MemberRecord[], drained: ReadonlySet<string>): PlacementMember[] {
  return members.flatMap(({ name, weight, state }) => (state === "active" && !drained.has(name) ? [{ name, weight }] : []));
}
