import { xxHash32 } from "js-xxhash";
import { slotCount } from "../../shared/limits.js";

/** Members of one block: a single table would be copied whenever it grows. */
const blockMembers = 64;
/** Hashes between two yields to the event loop: well under a millisecond. */
const hashesAtOnce = 256;
/** Decimal digits of a slot. */
const digitsMax = 4;
const zero = 48;

/** Remaining room of each member in one placement, by column of the scores. */
export interface Seats {
  readonly room: Int32Array;
  readonly weight: Float64Array;
  /** Position by name: of two members with equal scores, the first by name gets the slot. */
  readonly rank: Int32Array;
  /** All weights are equal, so hashes compare like scores. */
  readonly isEven: boolean;
}

/**
 * Hashes of each member's name with each slot, kept while the member exists, so that a new member costs only its own hashes. 16 KiB per
 * member, in blocks of 64. The hashes of a slot are adjacent, because they are compared together.
 */
export class SlotScores {
  private readonly blocks: Uint32Array[] = [];
  private readonly columns = new Map<string, number>();
  private readonly free: number[] = [];

  /** Number of columns, unused ones included. */
  get width(): number {
    return this.blocks.length * blockMembers;
  }

  column(name: string): number {
    return this.columns.get(name) ?? -1;
  }

  /** Keeps columns for exactly these names. A generator, so that other work can run between its steps. */
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

  /** Returns the column with the highest score for a slot among those with room; -1 when none has room. */
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

  /** Returns the score of one column for a slot; the highest score wins. */
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

/** Returns the bytes of `name/slot` in a buffer that the next call overwrites. */
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
