import type { Envelope } from "../../shared/bus/envelope.js";
import type { SlotOwner } from "../../shared/cluster/ownership.js";
import { pause, Signal, type Machine, type Steps } from "./machine.js";
import type { RouterCall } from "./router-call.js";
import { timing } from "./timing.js";

export interface RouterLookoutOptions {
  readonly machine: Machine;
  readonly pending: () => readonly RouterCall[];
  readonly owner: (slot: number) => Steps<SlotOwner | undefined>;
  readonly isLocal: (owner: SlotOwner) => boolean;
  /** Resolves when the router knows whether Redis has its reply stream. */
  readonly looked: () => Steps;
  readonly enqueue: (envelope: Envelope, owner: SlotOwner) => Steps<number | "BUSY" | "NOMEMBER">;
  readonly gone: (member: string, entries: readonly number[]) => Steps<number[]>;
}

/** Models `OwnerFollower` and `LostCalls` of `router/bus`: they resend calls whose owner changed, or that Redis has lost. */
export class RouterLookout {
  private nudge = new Signal();
  /** Entries that were missing in the last poll. */
  private gone: ReadonlySet<string> = new Set();

  constructor(private readonly options: RouterLookoutOptions) {}

  followSoon(): void {
    this.nudge.abort();
  }

  *follow(): Steps {
    for (;;) {
      try {
        for (const call of this.options.pending()) yield* this.followOne(call);
      } catch {
        // The next poll comes a second later.
      }
      yield* pause(this.options.machine, timing.pollMs, this.nudge);
      this.nudge = new Signal();
    }
  }

  *lookForLost(): Steps {
    for (;;) {
      try {
        this.gone = yield* this.askAgain();
      } catch {
        this.gone = new Set();
      }
      yield* pause(this.options.machine, timing.lostCheckMs);
    }
  }

  private *followOne(call: RouterCall): Steps {
    const { at: asked } = call.call;
    if (asked === undefined || this.options.isLocal(asked)) return;
    const owner = yield* this.options.owner(call.envelope.slot);
    if (owner !== undefined && call.call.isOnce && owner.token !== asked.token) yield* this.options.looked();
    const { attempt } = call.call;
    if (owner === undefined || call.isOver) return;
    call.apply({ type: "owner-seen", owner, previous: asked });
    if (call.isOver || call.call.attempt === attempt) return;
    const sent = yield* this.options.enqueue(call.envelopeOfTry, owner);
    if (typeof sent !== "string") call.apply({ type: "sent-again", to: owner, entry: String(sent) });
  }

  /** Resolves with the entries that are missing for the first time. */
  private *askAgain(): Steps<ReadonlySet<string>> {
    const { machine, pending } = this.options;
    const goneNow = new Set<string>();
    const before = machine.now() - timing.lostCheckMs;
    for (const call of pending()) {
      const { state, at, entry } = call.call;
      if (state.kind !== "sent" || at === undefined || entry === undefined || state.since > before || this.options.isLocal(at)) continue;
      if ((yield* this.options.gone(at.member, [Number(entry)])).length === 0) continue;
      const place = `${at.member} ${entry}`;
      if (this.gone.has(place)) call.apply({ type: "entry-gone", entry, now: machine.now() });
      else goneNow.add(place);
    }
    return goneNow;
  }
}
