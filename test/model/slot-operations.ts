import type { Acquired, NewSlotState, SlotOwner, SlotToken, WantedSlot } from "../../shared/cluster/ownership.js";
import type { Guards } from "./guards.js";
import type { OwnerRow, Store } from "./store.js";
import type { Truth } from "./truth.js";

/** The process that acquires slots. `life` is the real process, which no script sees. */
export interface Taker {
  readonly name: string;
  readonly incarnation: string;
  readonly host: string;
  readonly life: number;
}

/** Models the scripts of `shared/cluster/ownership.ts` and of a session's state, one method each. */
export class SlotOperations {
  constructor(
    private readonly store: Store,
    private readonly guards: Guards,
    private readonly truth: Pick<Truth, "written">,
  ) {}

  /** Models `acquire.lua`. */
  acquire(wanted: readonly WantedSlot[], taker: Taker): (Acquired | undefined)[] {
    return wanted.map((slot) => this.acquireOne(slot, taker));
  }

  /** Models `owners.lua`. */
  read(slots: readonly number[]): (SlotOwner | undefined)[] {
    return slots.map((slot) => this.store.owners.get(slot));
  }

  /** Models `stale-slots.lua`. */
  stale(tokens: ReadonlyMap<number, SlotToken>): number[] {
    return [...tokens].flatMap(([slot, token]) => (this.store.owners.get(slot)?.token === token ? [] : [slot]));
  }

  /** Models `slot-states.lua`. Returns false where the slot has another token by now. */
  setStates(states: readonly NewSlotState[]): boolean[] {
    return states.map(({ slot, token, state }) => {
      const owner = this.mine(slot, token);
      if (owner !== undefined) this.store.set(this.store.owners, slot, { ...owner, state });
      return owner !== undefined;
    });
  }

  /** Models `settled.lua`. */
  settled(slots: readonly { slot: number; token: SlotToken }[]): void {
    for (const { slot, token } of slots) {
      const owner = this.mine(slot, token);
      if (owner !== undefined) this.store.set(this.store.owners, slot, { ...owner, silent: "" });
    }
  }

  /** Models `write-state.lua` for all writes of a session's state. Returns false when the token is stale. */
  writeState(slot: number, token: SlotToken, life: number): boolean {
    const owner = this.fenced(slot, token);
    if (owner === undefined) return false;
    this.store.set(this.store.states, slot, life);
    this.truth.written("session", slot, life, owner.life);
    return true;
  }

  /** Models the first line of every script that writes. Returns the owner's row, or `undefined` when the token is stale. */
  fenced(slot: number, token: SlotToken): OwnerRow | undefined {
    const owner = this.mine(slot, token);
    return owner === undefined || (this.guards.fence && owner.state === "free") ? undefined : owner;
  }

  private acquireOne({ slot, dead }: WantedSlot, { name, incarnation, host, life }: Taker): Acquired | undefined {
    const owner = this.store.owners.get(slot);
    const isOf = (member: string, which: string): boolean =>
      owner?.member === member && (!this.guards.incarnation || owner.incarnation === which);
    let how: Acquired["how"] | undefined;
    if (isOf(name, incarnation) && owner?.state !== "free") how = "same";
    else if (owner === undefined) how = "new";
    else if (owner.state === "free") how = "released";
    else if (dead !== undefined && isOf(dead.name, dead.incarnation)) how = "dead";
    if (how === undefined) return undefined;
    const previousHost = owner?.host ?? "";
    if (how === "same" && owner !== undefined) {
      this.store.set(this.store.owners, slot, { ...owner, life });
      return { token: owner.token, previousHost, how, silent: owner.silent === "1" };
    }
    const token = String(Math.max(Number(owner?.token ?? 0) + 1, this.store.clock())) as SlotToken;
    const silent = how === "dead" && dead?.silent === true ? "1" : (owner?.silent ?? "");
    this.store.set(this.store.owners, slot, { member: name, incarnation, token, state: "held", host, silent, life });
    return { token, previousHost, how, silent: silent === "1" };
  }

  private mine(slot: number, token: SlotToken): OwnerRow | undefined {
    const owner = this.store.owners.get(slot);
    return owner === undefined || (this.guards.fence && owner.token !== token) ? undefined : owner;
  }
}
