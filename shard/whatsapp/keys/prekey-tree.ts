import { createHmac, randomBytes } from "node:crypto";
import { clampedKey } from "../network/x25519.js";

/**
 * The private keys of 1,024 consecutive prekeys, as a binary tree of seeds (Goldreich, Goldwasser and Micali 1986). Removing a key keeps
 * only the seeds beside its path, so it cannot be derived again.
 */
export interface PrekeyTree {
  /** Id of the first key. */
  readonly first: number;
  readonly seeds: readonly PrekeySeed[];
}

/** The seed of 2^(10-depth) keys, from `index` * 2^(10-depth) on. */
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
 * Returns a function that derives the private key of an id, 32 bytes; `undefined` for a removed or foreign id. It remembers the last path,
 * because neighbours share most seeds.
 */
export function prekeyReader(tree: PrekeyTree): (id: number) => Buffer | undefined {
  const path: (Omit<PrekeySeed, "depth"> | undefined)[] = [];
  return (id) => {
    const leaf = id - tree.first;
    const above = isInTree(tree, id) ? seedAbove(tree, leaf) : undefined;
    if (above === undefined) return undefined;
    let { seed } = above;
    for (let depth = above.depth + 1; depth <= treeDepth; depth += 1) {
      const index = leaf >> (treeDepth - depth);
      const before = path[depth];
      seed = before?.index === index ? before.seed : childOf(seed, sideOf(leaf, depth - 1));
      path[depth] = { index, seed };
    }
    return clampedKey(childOf(seed, "key"));
  };
}

/** Returns a tree from which the key cannot be derived any more. */
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

/** Returns the side on which a leaf lies below a seed of this depth. */
function sideOf(leaf: number, depth: number): 0 | 1 {
  return (leaf >> (treeDepth - depth - 1)) % 2 === 0 ? 0 : 1;
}

function seedAbove({ seeds }: PrekeyTree, leaf: number): PrekeySeed | undefined {
  return seeds.find(({ depth, index }) => leaf >> (treeDepth - depth) === index);
}

/** `key` derives a leaf's private key, so that no key is also a seed. */
function childOf(seed: Buffer, which: 0 | 1 | "key"): Buffer {
  return createHmac("sha256", seed).update(`v1|prekey|${which}`).digest();
}

/** Encodes trees: first id (4 bytes), number of seeds (2), and for each seed its depth (2), index (2) and 32 bytes. */
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

/** Decodes trees. Throws for another format. Needs no further checks, because the seal proves that this code wrote the bytes. */
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
