import type { SlotToken } from "../../shared/cluster/ownership.js";

/** Every slot is read again within this many beats of 3 s: sooner than the 17 s of a lease. */
const roundBeats = 5;
/**
 * Beats in a row at which a new slot is read. If Redis loses an acquire, it also loses every later beat, and the next number is too low.
 * The first beat may predate the acquire, so the second one counts.
 */
const newBeats = 2;

/** Chooses the held slots to read again at a heartbeat: few, while the beat numbers show that Redis has lost nothing. */
export class SlotChecks {
  /** At most one entry per slot. */
  private readonly checked = new Map<number, { readonly token: SlotToken; readonly beats: number }>();
  private last = 0;
  private trusts = false;
  private round = 0;

  /** After a beat without a response, another Redis may respond to the next one. */
  beatFailed(): void {
    this.trusts = false;
  }

  /** Returns the slots to read after the heartbeat with this number. */
  due(sequence: number, held: ReadonlyMap<number, { readonly token: SlotToken }>): number[] {
    // A heartbeat sent twice counts twice: that only costs a read of all slots.
    const isWhole = this.trusts && sequence === this.last + 1;
    this.last = sequence;
    this.trusts = true;
    this.round = (this.round + 1) % roundBeats;
    for (const slot of this.checked.keys()) if (!held.has(slot)) this.checked.delete(slot);
    const due: number[] = [];
    for (const [slot, { token }] of held) if (!isWhole || slot % roundBeats === this.round || this.isNew(slot, token)) due.push(slot);
    return due;
  }

  /** Records that these slots were read and still belong to the holder. */
  found(slots: Iterable<readonly [slot: number, token: SlotToken]>): void {
    for (const [slot, token] of slots) {
      const before = this.checked.get(slot);
      this.checked.set(slot, { token, beats: before?.token === token ? before.beats + 1 : 1 });
    }
  }

  private isNew(slot: number, token: SlotToken): boolean {
    const entry = this.checked.get(slot);
    return entry?.token !== token || entry.beats < newBeats;
  }
}
