import { describe, expect, it } from "vitest";
import { chunkBytes } from "../../../../shared/limits.js";
import { chunkLength, chunkOf, spansOf } from "../../../../router/media/chunk.js";

describe("spansOf", () => {
  it.each<[number, number, [number, number, number][]]>([
    [0, 0, [[0, 0, 1]]],
    [0, chunkBytes - 1, [[0, 0, chunkBytes]]],
    [
      chunkBytes - 1,
      chunkBytes,
      [
        [0, chunkBytes - 1, chunkBytes],
        [1, 0, 1],
      ],
    ],
    [chunkBytes, chunkBytes, [[1, 0, 1]]],
    [
      5,
      2 * chunkBytes + 6,
      [
        [0, 5, chunkBytes],
        [1, 0, chunkBytes],
        [2, 0, 7],
      ],
    ],
  ])("splits %i to %i", (start, end, expected) => {
    expect([...spansOf(start, end)].map(({ chunk, from, to }) => [chunk, from, to])).toEqual(expected);
  });

  it("covers 10,000 random ranges byte for byte, in order, without a chunk too many", () => {
    const wrong: string[] = [];
    for (let round = 0; round < 10_000; round++) {
      const start = Math.floor(Math.random() * 5 * chunkBytes);
      const end = start + Math.floor(Math.random() * 4 * chunkBytes);
      let position = start;
      for (const { chunk, from, to } of spansOf(start, end)) {
        if (chunk * chunkBytes + from !== position || to <= from || to > chunkBytes)
          wrong.push(`${start}-${end}: ${from} to ${to} of ${chunk}`);
        position = chunk * chunkBytes + to;
      }
      if (position !== end + 1) wrong.push(`${start}-${end}: ends before ${position}`);
    }
    expect(wrong).toEqual([]);
  });
});

describe("chunkLength", () => {
  it.each([
    [0, 0, 0],
    [1, 0, 1],
    [chunkBytes, 0, chunkBytes],
    [chunkBytes, 1, 0],
    [chunkBytes + 3, 1, 3],
  ])("of a file of %i bytes, chunk %i: %i", (size, chunk, length) => {
    expect(chunkLength(size, chunk)).toBe(length);
  });
});

it("finds the chunk of a byte", () => {
  expect([0, chunkBytes - 1, chunkBytes, 3 * chunkBytes].map(chunkOf)).toEqual([0, 0, 1, 3]);
});
