import { xxHash32 } from "js-xxhash";
import { slotCount } from "../../shared/limits.js";

/** Members of one block: a table for as many as there are would be copied whenever it grows. */
const blockMembers = 64;
/** Hashes between two points at which the event loop may have its turn: well under a millisecond. */
const hashesAtOnce = 256;
/** Decimal digits of a slot. */
const digitsMax = 4;
const zero = 48;

/** What the members of one placement may still take; one entry for each column of the scores. */
export interface Seats {
  readonly room: Int32Array;
  readonly weight: Float64Array;
  /** Place by name: of two with one score the first by name has the slot. */
  readonly rank: Int32Array;
  /** All weights are alike: hashes compare as scores would. */
  readonly isEven: boolean;
}

/**
 * The hash of each member's name with each slot, kept while the member is there: another one that comes costs its own hashes only. 16 KiB for each, rounded up to 64 of
 * them. All hashes of a slot lie side by side, because they are looked through together.
 */
export class SlotScores {
  private readonly blocks: Uint32Array[] = [];
  private readonly columns = new Map<string, number>();
  private readonly free: number[] = [];

  /** Columns that there are, those of nobody included. */
  get width(): number {
    return this.blocks.length * blockMembers;
  }

  column(name: string): number {
    return this.columns.get(name) ?? -1;
  }

  /** From now on there are columns for these names, and for no others. A generator: between its steps other work may be done. */
  *admit(names: readonly string[]): Generator<undefined, void> {
    const wanted = new Set(names);
    for (const [name, column] of this.columns) {
      if (wanted.has(name)) continue;
      this.columns.delete(name);
      this.free.push(column);
    }
    for (const name of wanted) {
      if (this.columns.has(name)) continue;
      const column = this.free.pop() ?? this.widen();
      yield* this.fill(name, column);
      this.columns.set(name, column);
    }
  }

  /** The column with the highest score for a slot among those with room; -1 when none has. */
  best(slot: number, { room, weight, rank, isEven }: Seats): number {
    let best = -1;
    let bestScore = -Infinity;
    for (const [index, block] of this.blocks.entries()) {
      const first = index * blockMembers;
      const row = slot * blockMembers;
      for (let i = 0; i < blockMembers; i += 1) {
        const column = first + i;
        if ((room[column] ?? 0) <= 0) continue;
        const hash = block[row + i] ?? 0;
        const score = isEven ? hash : rendezvousScore(hash, weight[column] ?? 0);
        if (score < bestScore || (score === bestScore && (rank[column] ?? 0) > (rank[best] ?? 0))) continue;
        [best, bestScore] = [column, score];
      }
    }
    return best;
  }

  /** Of one column for a slot: the highest has it. */
  score(slot: number, column: number, { weight, isEven }: Seats): number {
    const hash = this.blocks[Math.floor(column / blockMembers)]?.[slot * blockMembers + (column % blockMembers)] ?? 0;
    return isEven ? hash : rendezvousScore(hash, weight[column] ?? 0);
  }

  private widen(): number {
    const first = this.width;
    this.blocks.push(new Uint32Array(slotCount * blockMembers));
    for (let column = first + blockMembers - 1; column > first; column -= 1) this.free.push(column);
    return first;
  }

  private *fill(name: string, column: number): Generator<undefined, void> {
    const block = this.blocks[Math.floor(column / blockMembers)];
    if (block === undefined) return;
    const texts = slotTexts(name);
    for (let slot = 0; slot < slotCount; slot += 1) {
      block[slot * blockMembers + (column % blockMembers)] = xxHash32(texts(slot), 0);
      if (slot % hashesAtOnce === hashesAtOnce - 1) yield;
    }
  }
}

/** The bytes of `name/slot`, in memory that the next call writes over. */
function slotTexts(name: string): (slot: number) => Uint8Array {
  const start = new TextEncoder().encode(`${name}/`);
  const byDigits = Array.from({ length: digitsMax }, (_, i) => {
    const text = new Uint8Array(start.length + i + 1);
    text.set(start);
    return text;
  });
  return (slot) => {
    const digits = slot < 10 ? 1 : slot < 100 ? 2 : slot < 1_000 ? 3 : 4;
    const text = byDigits[digits - 1] ?? start;
    for (let rest = slot, at = start.length + digits - 1; at >= start.length; at -= 1, rest = Math.floor(rest / 10))
      text[at] = zero + (rest % 10);
    return text;
  };
}

/** Weighted rendezvous: `-w / ln(u)` with u in (0, 1) from the hash. */
function rendezvousScore(hash: number, weight: number): number {
  return -weight / Math.log((hash + 1) / 4_294_967_297);
}
