import type { Beat } from "../../shared/cluster/beat-feed.js";
import type { Burial, MemberRecord } from "../../shared/cluster/membership.js";
import type { Guards } from "./guards.js";
import type { Store } from "./store.js";

/** Models the scripts of `shared/cluster/membership.ts`, one method each. */
export class MemberOperations {
  constructor(
    private readonly store: Store,
    private readonly guards: Guards,
  ) {}

  /** Models `join.lua`. */
  join({ name, incarnation, weight, host, place }: Pick<MemberRecord, "name" | "incarnation" | "weight" | "host" | "place">): boolean {
    const before = this.store.members.get(name);
    if (before !== undefined && before.state !== "dead" && before.state !== "gone") return false;
    const record: MemberRecord = { name, incarnation, sequence: "1", state: "active", weight, host, buriedBy: "" };
    if (place !== undefined) record.place = place;
    if (before !== undefined) record.former = { incarnation: before.incarnation, end: before.state === "gone" ? "left" : before.buriedBy };
    this.store.set(this.store.members, name, record);
    return true;
  }

  /** Models `heartbeat.lua`. Returns the new sequence, or `undefined` when this incarnation was buried or replaced. */
  heartbeat(name: string, incarnation: string): number | undefined {
    const record = this.mine(name, incarnation);
    if (record === undefined || record.state === "dead") return undefined;
    const sequence = Number(record.sequence) + 1;
    this.store.set(this.store.members, name, { ...record, sequence: String(sequence) });
    return sequence;
  }

  /** Models `bury.lua`. */
  bury(name: string, incarnation: string, sequence: string, why: Burial): boolean {
    const record = this.mine(name, incarnation);
    if (record === undefined || (sequence !== "*" && record.sequence !== sequence) || record.state === "gone") return false;
    this.store.set(this.store.members, name, { ...record, state: "dead", buriedBy: why });
    return true;
  }

  /** Models `member-state.lua`. */
  setState(name: string, incarnation: string, state: "draining" | "gone"): boolean {
    const record = this.mine(name, incarnation);
    if (record === undefined || record.state === "dead") return false;
    this.store.set(this.store.members, name, { ...record, state });
    return true;
  }

  /** Models one HMGET per member in one pipeline. */
  read(names: readonly string[]): (MemberRecord | undefined)[] {
    return names.map((name) => this.store.members.get(name));
  }

  /** Models SETRANGE of the feed of beats. */
  tellBeat(name: string, beat: Beat): void {
    this.store.set(this.store.beats, name, beat);
  }

  private mine(name: string, incarnation: string): MemberRecord | undefined {
    const record = this.store.members.get(name);
    return record === undefined || (this.guards.incarnation && record.incarnation !== incarnation) ? undefined : record;
  }
}
