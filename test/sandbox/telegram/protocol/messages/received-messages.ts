/** Messages that a session received: detects repeated ones and checks that sequence numbers increase with the message ids. */

/** 19 and 20 concern the id; 32 and 33 mean that the sequence number is too low or too high for it. */
export type ReceiptFault = 19 | 20 | 32 | 33;
export type Receipt = "new" | "repeated" | ReceiptFault;

/**
 * Above this number the older half is evicted, and ids before it can no longer be verified. The limit matters with thousands of idle
 * sessions.
 */
const capacity = 512;

export class ReceivedMessages {
  /** Ordered by id. Sequence numbers never decrease along the list. */
  private entries: { readonly id: bigint; readonly sequence: number }[] = [];
  private forgottenUpTo = 0n;

  /** Returns whether the message was received; `unknown` and `ahead` are outside the remembered range. */
  state(id: bigint): "received" | "unknown" | "not received" | "ahead" {
    const last = this.entries.at(-1);
    if (!last || id <= this.forgottenUpTo) return "unknown";
    if (id > last.id) return "ahead";
    return this.entries[this.position(id)]?.id === id ? "received" : "not received";
  }

  add(id: bigint, sequence: number, container: boolean): Receipt {
    if (id <= this.forgottenUpTo) return 20;
    const position = this.position(id);
    const next = this.entries[position];
    if (next?.id === id) return container ? 19 : "repeated";
    const previous = this.entries[position - 1];
    if (previous && (previous.sequence > sequence || (previous.sequence === sequence && sequence % 2 !== 0))) return 32;
    if (next && (next.sequence < sequence || (next.sequence === sequence && sequence % 2 !== 0))) return 33;
    if (position === this.entries.length) this.entries.push({ id, sequence });
    else this.entries.splice(position, 0, { id, sequence });
    if (this.entries.length > capacity) this.forgetHalf();
    return "new";
  }

  private forgetHalf(): void {
    const forgotten = this.entries.splice(0, capacity / 2);
    this.forgottenUpTo = forgotten.at(-1)?.id ?? this.forgottenUpTo;
  }

  /** Returns the index of the first entry whose id is not below `id`. */
  private position(id: bigint): number {
    let low = 0;
    let high = this.entries.length;
    // Nearly every message is the newest one.
    if ((this.entries[high - 1]?.id ?? -1n) < id) return high;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.entries[middle]?.id ?? id) < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
