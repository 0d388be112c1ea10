import { expect, it } from "vitest";
import { LocalChunks } from "../../../../shared/media/local-chunks.js";

const bytes = Buffer.from("chunk");

it("hands over a chunk that is expected, and no other", () => {
  const chunks = new LocalChunks();
  const taken: Buffer[] = [];
  chunks.expect("file", 3, (one) => taken.push(one));
  chunks.offer("file", 2, bytes);
  chunks.offer("other", 3, bytes);
  expect(taken).toEqual([]);
  chunks.offer("file", 3, bytes);
  expect(taken).toEqual([bytes]);
  expect(taken[0]).toBe(bytes);
});

it("hands over nothing after the end of the wait, which leaves a later wait alone", () => {
  const chunks = new LocalChunks();
  const taken: string[] = [];
  const stopFirst = chunks.expect("file", 0, () => taken.push("first"));
  const stopSecond = chunks.expect("file", 0, () => taken.push("second"));
  stopFirst();
  chunks.offer("file", 0, bytes);
  stopSecond();
  chunks.offer("file", 0, bytes);
  expect(taken).toEqual(["second"]);
});
