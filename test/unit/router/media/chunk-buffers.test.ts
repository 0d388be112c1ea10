import { describe, expect, it } from "vitest";
import { ChunkBuffers } from "../../../../router/media/chunk-buffers.js";
import { chunkBytes } from "../../../../shared/limits.js";

describe("ChunkBuffers", () => {
  it("gives memory out again once it was given back, and never twice at a time", () => {
    const buffers = new ChunkBuffers();
    const [one, other] = [buffers.take(chunkBytes), buffers.take(chunkBytes)];
    expect(one).not.toBe(other);
    buffers.give(one);
    buffers.give(one);
    const again = buffers.take(chunkBytes);
    expect(again).toBe(one);
    expect(buffers.take(chunkBytes)).not.toBe(one);
  });

  it("leaves alone what is not its own, and what is no whole chunk", () => {
    const buffers = new ChunkBuffers();
    const [foreign, short] = [Buffer.alloc(chunkBytes), buffers.take(10)];
    expect(short).toHaveLength(10);
    buffers.give(foreign);
    buffers.give(short);
    buffers.give(buffers.take(chunkBytes).subarray(0));
    const taken = Array.from({ length: 3 }, () => buffers.take(chunkBytes));
    expect(taken.includes(foreign)).toBe(false);
    expect(new Set(taken.map(({ buffer }) => buffer)).size).toBe(3);
  });

  it("keeps 32 at most", () => {
    const buffers = new ChunkBuffers();
    const out = Array.from({ length: 40 }, () => buffers.take(chunkBytes));
    for (const buffer of out) buffers.give(buffer);
    const again = new Set(Array.from({ length: 40 }, () => buffers.take(chunkBytes)));
    expect(out.filter((buffer) => again.has(buffer))).toHaveLength(32);
  });
});
