import type { SlotToken } from "../../shared/cluster/ownership.js";

/** Beats of 3 s in which every slot is read again once, whatever else is known: less than the 17 s of a lease. */
const roundBeats = 5;
/**
 * So many beats in a row a slot is read that was taken lately. What Redis forgets is the end of its history: if an acquire is forgotten, so is each beat after it, and
 * the next one has too low a number. A beat that may have come before the acquire says nothing of it, so the second one counts.
 */
const newBeats = 2;

/** Which of the slots that are held are to be read again at a heartbeat: few, while the numbers of the beats show that Redis has forgotten nothing. */
export class SlotChecks {
  /** As many as there are slots. */
  private readonly checked = new Map<number, { readonly token: SlotToken; readonly beats: number }>();
  private last = 0;
  private trusts = false;
  private turn = 0;

  /** A heartbeat was not answered: nobody knows which Redis answers the next one. */
  beatUnanswered(): void {
    this.trusts = false;
  }

  /** After a heartbeat with this number. */
  due(sequence: number, held: ReadonlyMap<number, { readonly token: SlotToken }>): number[] {
    // A heartbeat that was sent twice counts twice: that only costs a look at all of them.
    const isWhole = this.trusts && sequence === this.last + 1;
    this.last = sequence;
    this.trusts = true;
    this.turn = (this.turn + 1) % roundBeats;
    for (const slot of this.checked.keys()) if (!held.has(slot)) this.checked.delete(slot);
    const due: number[] = [];
    for (const [slot, { token }] of held) if (!isWhole || slot % roundBeats === this.turn || this.isNew(slot, token)) due.push(slot);
    return due;
  }

  /** These were read, and are the holder's. */
  found(slots: Iterable<readonly [slot: number, token: SlotToken]>): void {
    for (const [slot, token] of slots) {
      const before = this.checked.get(slot);
      this.checked.set(slot, { token, beats: before?.token === token ? before.beats + 1 : 1 });
    }
  }

  private isNew(slot: number, token: SlotToken): boolean {
    const known = this.checked.get(slot);
    return known?.token !== token || known.beats < newBeats;
  }
}
