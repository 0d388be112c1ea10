import type { MemberRecord } from "../../shared/cluster/membership.js";
import { targetMap } from "../../shard/cluster/placement.js";
import { placeable } from "../../shard/cluster/target-placement.js";
import type { Machine } from "./machine.js";
import { slots } from "./sessions.js";

/** Earlier placements by active members. The product makes the same map from the same members. */
const known = new Map<string, readonly string[]>();

/** Models `TargetPlacement` of `shard/cluster/target-placement.ts` for the first slots, without pins and drains. */
export class Placement {
  private active = "";
  private since = 0;
  /** Members of the last call. `activeSeen` lists the active ones. */
  private seen: readonly MemberRecord[] = [];
  private activeSeen = "[]";
  map: readonly string[] = [];

  constructor(
    private readonly machine: Machine,
    private readonly members: { all(): readonly MemberRecord[] },
  ) {}

  get ageMs(): number {
    return this.machine.now() - this.since;
  }

  get fits(): boolean {
    return this.active === this.activeNow();
  }

  refresh(): void {
    const active = this.activeNow();
    if (active === this.active) return;
    this.since = this.machine.now();
    this.active = active;
    let map = known.get(active);
    if (map === undefined) {
      map = targetMap(placeable(this.members.all(), new Set()), new Map()).slice(0, slots);
      known.set(active, map);
    }
    this.map = map;
  }

  private activeNow(): string {
    const members = this.members.all();
    if (members !== this.seen) this.activeSeen = JSON.stringify(placeable(members, new Set()));
    this.seen = members;
    return this.activeSeen;
  }
}
