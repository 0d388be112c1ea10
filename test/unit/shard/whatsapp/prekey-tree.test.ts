import { describe, expect, it } from "vitest";
import { x25519Agreement, x25519KeyPair, x25519PublicKey } from "../../../../shard/whatsapp/network/x25519.js";
import {
  decodeTrees,
  encodeTrees,
  isInTree,
  keysOfTree,
  newPrekeyTree,
  prekeyReader,
  withoutPrekey,
  type PrekeyTree,
} from "../../../../shard/whatsapp/keys/prekey-tree.js";

const ids = (first: number): number[] => Array.from({ length: keysOfTree }, (_, n) => first + n);
const prekeyIn = (tree: PrekeyTree, id: number): Buffer | undefined => prekeyReader(tree)(id);
const keysIn = (tree: PrekeyTree): (string | undefined)[] => ids(tree.first).map((id) => prekeyIn(tree, id)?.toString("hex"));

describe("a tree of prekeys", () => {
  it("has 1,024 keys, each another, each with a public half that agrees as any does", () => {
    const tree = newPrekeyTree(813);
    expect(new Set(keysIn(tree)).size).toBe(1_024);
    expect([812, 813, 1_836, 1_837].map((id) => isInTree(tree, id))).toEqual([false, true, true, false]);
    expect([812, 1_837].map((id) => prekeyIn(tree, id))).toEqual([undefined, undefined]);
    const key = prekeyIn(tree, 900) ?? Buffer.alloc(0);
    const theirs = x25519KeyPair();
    expect(x25519Agreement(key, theirs.public)).toEqual(x25519Agreement(theirs.private, x25519PublicKey(key)));
  });

  it("has none twice among devices", () => {
    expect(prekeyIn(newPrekeyTree(1), 1)).not.toEqual(prekeyIn(newPrekeyTree(1), 1));
  });

  it("loses the keys that were used and no other, and no seed is left above one that is gone", () => {
    const whole = newPrekeyTree(1);
    const all = keysIn(whole);
    let tree = whole;
    const used = new Set<number>();
    // Every 37th key, the first and last ones, and neighbours.
    for (const id of [1, 1_024, 512, 513, ...ids(1).filter((one) => one % 37 === 0)]) {
      tree = withoutPrekey(tree, id);
      used.add(id);
      for (const { depth, index } of tree.seeds) for (const gone of used) expect((gone - 1) >> (10 - depth) === index).toBe(false);
    }
    expect(keysIn(tree)).toEqual(all.map((key, n) => (used.has(n + 1) ? undefined : key)));
    // A reader that remembers the previous path returns the same keys, in order and out of order.
    for (const some of [ids(1), ids(1).reverse(), ids(1).map((id) => (id * 389) % 1_024)]) {
      const read = prekeyReader(tree);
      expect(some.map((id) => read(id)?.toString("hex"))).toEqual(some.map((id) => prekeyIn(tree, id)?.toString("hex")));
    }
    expect(withoutPrekey(tree, 37)).toEqual(tree);
    expect(withoutPrekey(tree, 5_000)).toEqual(tree);
  });

  it("stays small where keys are used in their order, as platforms give them out, and is empty at the end", () => {
    let tree = newPrekeyTree(1);
    let most = 0;
    for (const id of ids(1)) {
      tree = withoutPrekey(tree, id);
      most = Math.max(most, encodeTrees([tree]).length);
    }
    expect(most).toBe(7 + 10 * 36);
    expect(tree.seeds).toEqual([]);
  });

  it("is stored and read back, with others, in whatever state", () => {
    const trees = [withoutPrekey(withoutPrekey(newPrekeyTree(1), 77), 1_000), newPrekeyTree(1_025), { first: 2_049, seeds: [] }];
    expect(decodeTrees(encodeTrees(trees))).toEqual(trees);
    expect(decodeTrees(encodeTrees([]))).toEqual([]);
    expect(encodeTrees([newPrekeyTree(1)])).toHaveLength(43);
    expect(() => decodeTrees(encodeTrees(trees).subarray(0, -1))).toThrow();
    expect(() => decodeTrees(Buffer.of(2))).toThrow("not known");
    expect(() => decodeTrees(Buffer.alloc(0))).toThrow("not known");
  });

  it("gives the keys that it gave when it was stored, for ever", () => {
    const tree: PrekeyTree = { first: 1, seeds: [{ depth: 0, index: 0, seed: Buffer.alloc(32, 7) }] };
    expect([1, 2, 1_024].map((id) => prekeyIn(tree, id)?.toString("hex").slice(0, 16))).toMatchInlineSnapshot(`
      [
        "6014907a4d11d848",
        "1863f0b88fe9b351",
        "b063b0271d8c5db0",
      ]
    `);
  });
});
