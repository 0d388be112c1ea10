import { beforeEach, describe, expect, it } from "vitest";
import { ChunkMemory, type ChunkName } from "../../../../router/media/chunk-memory.js";
import { chunkRenewalMs } from "../../../../shared/media/chunk-cache.js";
import { until } from "../support.js";

const fileKey = "0123456789abcdef0123456789abcdef";
const hourMs = 3_600_000;
let nowMs: number;
let renewed: ChunkName[][];
let given: Uint8Array[];

function aMemory(maxBytes = 1_000): ChunkMemory {
  nowMs = 0;
  const own: ChunkName[][] = [];
  renewed = own;
  const back: Uint8Array[] = [];
  given = back;
  return new ChunkMemory({
    maxBytes,
    buffers: { give: (bytes) => back.push(bytes) },
    renew: (used) => own.push([...used]),
    now: () => nowMs,
  });
}

describe("ChunkMemory", () => {
  let memory: ChunkMemory;
  beforeEach(() => {
    memory = aMemory();
  });

  it("gives back the same bytes, not a copy", () => {
    const bytes = Buffer.alloc(10, 1);
    memory.put(fileKey, 3, bytes);
    expect(memory.get(fileKey, 3, 10)?.bytes).toBe(bytes);
    expect(memory.get(fileKey, 3, 11)).toBeUndefined();
    expect(memory.get(fileKey, 4, 10)).toBeUndefined();
  });

  it("keeps to its bound and drops what was used longest ago", () => {
    for (let chunk = 0; chunk < 10; chunk++) memory.put(fileKey, chunk, Buffer.alloc(100));
    memory.get(fileKey, 0, 100);
    memory.put(fileKey, 10, Buffer.alloc(150));
    expect(memory.size).toBeLessThanOrEqual(1_000);
    expect([0, 1, 2, 3].map((chunk) => memory.has(fileKey, chunk))).toEqual([true, false, false, true]);
  });

  it("keeps nothing without room", () => {
    const none = aMemory(0);
    none.put(fileKey, 0, Buffer.alloc(1));
    expect([none.get(fileKey, 0, 1), none.has(fileKey, 0), none.size]).toEqual([undefined, false, 0]);
  });

  it("keeps a chunk for an hour after its last use, and a check does not count as a use", () => {
    memory.put(fileKey, 0, Buffer.alloc(1));
    nowMs += hourMs - 1;
    expect(memory.get(fileKey, 0, 1)).toBeDefined();
    nowMs += hourMs - 1;
    expect(memory.has(fileKey, 0)).toBe(true);
    nowMs += 1;
    expect([memory.has(fileKey, 0), memory.get(fileKey, 0, 1)]).toEqual([false, undefined]);
  });

  describe("gives memory back", () => {
    const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    const bytes = Buffer.alloc(600, 1);
    const pushOut = (): unknown => memory.put(fileKey, 99, Buffer.alloc(900));

    it("when a chunk has left, but not while somebody uses it", async () => {
      const kept = memory.put(fileKey, 0, bytes);
      const [one, other] = [kept.borrow(), kept.borrow()];
      pushOut();
      await turn();
      one.done();
      one.done();
      expect(given).toEqual([]);
      other.done();
      expect(given).toEqual([bytes]);
    });

    it("not while it is here, however often it was used", async () => {
      const kept = memory.put(fileKey, 0, bytes);
      for (let use = 0; use < 3; use++) kept.borrow().done();
      await turn();
      expect(given).toEqual([]);
      pushOut();
      expect(given).toEqual([bytes]);
    });

    it("keeps a chunk in the turn in which it arrived, before its waiters have run", async () => {
      memory.put(fileKey, 0, bytes);
      pushOut();
      await Promise.resolve();
      expect(given).toEqual([]);
      await turn();
      expect(given).toEqual([bytes]);
    });

    it("of a chunk that is replaced, or never had room", async () => {
      memory.put(fileKey, 0, bytes);
      memory.put(fileKey, 0, Buffer.alloc(5));
      memory.put(fileKey, 1, Buffer.alloc(2_000));
      await turn();
      expect(given.map(({ length }) => length).sort()).toEqual([2_000, 600]);
    });

    it("never of a chunk that a user keeps", async () => {
      memory.put(fileKey, 0, bytes).borrow();
      pushOut();
      await turn();
      expect(given).toEqual([]);
    });
  });

  it("has the other copy renewed once in a while, together, and not for every use", async () => {
    for (const chunk of [0, 1, 2]) memory.put(fileKey, chunk, Buffer.alloc(1));
    for (let use = 0; use < 1_000; use++) memory.get(fileKey, 0, 1);
    nowMs += chunkRenewalMs - 1;
    memory.get(fileKey, 0, 1);
    nowMs += 1;
    for (let use = 0; use < 1_000; use++) for (const chunk of [0, 1]) memory.get(fileKey, chunk, 1);
    await until(() => renewed.length > 0);
    nowMs += chunkRenewalMs;
    memory.get(fileKey, 1, 1);
    await until(() => renewed.flat().length > 2);
    expect(renewed).toEqual([
      [
        { fileKey, chunk: 0 },
        { fileKey, chunk: 1 },
      ],
      [{ fileKey, chunk: 1 }],
    ]);
  });
});
