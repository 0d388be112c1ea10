import { createHmac, randomBytes } from "node:crypto";
import { clampedKey } from "../network/x25519.js";

/**
 * The private halves of 1,024 prekeys in a row, as the seeds of a binary tree (Goldreich, Goldwasser and Micali 1986): a seed gives its two children by HMAC, a leaf is a key. A tree
 * begins with one seed. To remove a key is to keep the seeds beside its way from the root instead of those above it: from what is left then it cannot be derived any more.
 */
export interface PrekeyTree {
  /** Id of the first key. */
  readonly first: number;
  readonly seeds: readonly PrekeySeed[];
}

/** Stands for 2^(10-depth) keys: those from `index` * 2^(10-depth) on. */
export interface PrekeySeed {
  readonly depth: number;
  readonly index: number;
  readonly seed: Buffer;
}

const treeDepth = 10;
export const keysOfTree = 2 ** treeDepth;

export function newPrekeyTree(first: number): PrekeyTree {
  return { first, seeds: [{ depth: 0, index: 0, seed: randomBytes(32) }] };
}

export function isInTree({ first }: Pick<PrekeyTree, "first">, id: number): boolean {
  return id >= first && id < first + keysOfTree;
}

/**
 * Gives the private half of a key, 32 bytes; `undefined` for one that was removed, or is none of this tree. It remembers the seeds on the way to the key before, of which
 * a neighbour has most.
 */
export function prekeyReader(tree: PrekeyTree): (id: number) => Buffer | undefined {
  const way: (Omit<PrekeySeed, "depth"> | undefined)[] = [];
  return (id) => {
    const leaf = id - tree.first;
    const above = isInTree(tree, id) ? seedAbove(tree, leaf) : undefined;
    if (above === undefined) return undefined;
    let { seed } = above;
    for (let depth = above.depth + 1; depth <= treeDepth; depth += 1) {
      const index = leaf >> (treeDepth - depth);
      const before = way[depth];
      seed = before?.index === index ? before.seed : childOf(seed, sideOf(leaf, depth - 1));
      way[depth] = { index, seed };
    }
    return clampedKey(childOf(seed, "key"));
  };
}

/** The tree from which the key cannot be derived any more. */
export function withoutPrekey(tree: PrekeyTree, id: number): PrekeyTree {
  const leaf = id - tree.first;
  const above = isInTree(tree, id) ? seedAbove(tree, leaf) : undefined;
  if (above === undefined) return tree;
  const beside: PrekeySeed[] = [];
  let { seed } = above;
  for (let depth = above.depth; depth < treeDepth; depth += 1) {
    const side = sideOf(leaf, depth);
    const other = side === 0 ? 1 : 0;
    const index = leaf >> (treeDepth - depth - 1);
    beside.push({ depth: depth + 1, index: index ^ 1, seed: childOf(seed, other) });
    seed = childOf(seed, side);
  }
  return { first: tree.first, seeds: [...tree.seeds.filter((kept) => kept !== above), ...beside] };
}

/** Which way a leaf lies below a seed of this depth. */
function sideOf(leaf: number, depth: number): 0 | 1 {
  return (leaf >> (treeDepth - depth - 1)) % 2 === 0 ? 0 : 1;
}

function seedAbove({ seeds }: PrekeyTree, leaf: number): PrekeySeed | undefined {
  return seeds.find(({ depth, index }) => leaf >> (treeDepth - depth) === index);
}

/** `key`: of a leaf alone, so that a key is no seed. */
function childOf(seed: Buffer, which: 0 | 1 | "key"): Buffer {
  return createHmac("sha256", seed).update(`v1|prekey|${which}`).digest();
}

/** A tree is its first id and the number of its seeds, a seed its depth and index, 2 bytes each and 4 for the id, and its 32 bytes. */
export function encodeTrees(trees: readonly PrekeyTree[]): Buffer {
  return Buffer.concat([
    Buffer.of(formOfTrees),
    ...trees.flatMap(({ first, seeds }) => {
      const head = Buffer.alloc(6);
      head.writeUInt32BE(first, 0);
      head.writeUInt16BE(seeds.length, 4);
      return [
        head,
        ...seeds.flatMap(({ depth, index, seed }) => {
          const place = Buffer.alloc(4);
          place.writeUInt16BE(depth, 0);
          place.writeUInt16BE(index, 2);
          return [place, seed];
        }),
      ];
    }),
  ]);
}

/** Throws when it is none: what was sealed says that nobody else wrote it. */
export function decodeTrees(bytes: Buffer): PrekeyTree[] {
  if (bytes[0] !== formOfTrees) throw new Error("prekeys are stored in a form that is not known");
  const trees: PrekeyTree[] = [];
  for (let at = 1; at < bytes.length; ) {
    const first = bytes.readUInt32BE(at);
    const count = bytes.readUInt16BE(at + 4);
    at += 6;
    const seeds = Array.from({ length: count }, (_, n): PrekeySeed => {
      const from = at + 36 * n;
      return {
        depth: bytes.readUInt16BE(from),
        index: bytes.readUInt16BE(from + 2),
        seed: Buffer.from(bytes.subarray(from + 4, from + 36)),
      };
    });
    at += 36 * count;
    trees.push({ first, seeds });
  }
  return trees;
}

const formOfTrees = 1;
