import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { chunkBytes } from "../../../../shared/limits.js";
import { FileMismatch, openChunk, openWhole, storedRange, wholeRange } from "../../../../shard/whatsapp/media/file-cipher.js";
import { encryptedFile } from "./encrypted-file.js";

const none = Buffer.alloc(0);
const film = randomBytes(3 * chunkBytes + 100);

/** Borders of blocks, of windows of the sidecar and of chunks. */
const lengths = [1, 15, 16, 17, 65_535, 65_536, chunkBytes - 1, chunkBytes, chunkBytes + 1, 2 * chunkBytes, film.length];

describe("openChunk", () => {
  it.each(lengths)("reads each chunk of a file of %i bytes from its own range", (length) => {
    const plain = film.subarray(0, length);
    const { stored, facts } = encryptedFile(plain, "video", "Video");
    for (const checked of [facts, { ...facts, sidecar: none }]) {
      const parts: Buffer[] = [];
      for (let chunk = 0; storedRange(checked, chunk) !== undefined; chunk++) {
        const { from, to } = storedRange(checked, chunk) ?? { from: 0, to: 0 };
        expect(to - from).toBeLessThanOrEqual(chunkBytes + 16 + 16 + 10);
        expect(to).toBeLessThanOrEqual(stored.length);
        parts.push(openChunk(checked, chunk, stored.subarray(from, to)));
      }
      expect(Buffer.concat(parts).equals(plain)).toBe(true);
    }
  });

  it("finds no range past the end, or at a fraction", () => {
    const { facts } = encryptedFile(film, "video", "Video");
    for (const chunk of [4, 99, -1, 0.5, Number.NaN]) expect(storedRange(facts, chunk)).toBeUndefined();
    expect(storedRange({ ...facts, length: chunkBytes }, 1)).toBeUndefined();
  });

  it("refuses a changed byte anywhere in a file of one chunk", () => {
    const { stored, facts } = encryptedFile(film.subarray(0, 1_000), "image", "Image");
    for (const at of [0, 15, 16, 500, stored.length - 11, stored.length - 10, stored.length - 1]) {
      const changed = Buffer.from(stored);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => openChunk({ ...facts, sidecar: none }, 0, changed)).toThrow(FileMismatch);
    }
  });

  it("refuses a changed byte in each window of the sidecar", () => {
    const { stored, facts } = encryptedFile(film, "video", "Video");
    for (let chunk = 0; chunk < 4; chunk++) {
      const { from, to } = storedRange(facts, chunk) ?? { from: 0, to: 0 };
      const range = stored.subarray(from, to);
      // The MAC of the whole file is not covered by this sidecar.
      for (let at = 0; at < range.length - 10; at += 16_000) {
        const changed = Buffer.from(range);
        changed[at] = (changed[at] ?? 0) ^ 1;
        expect(() => openChunk(facts, chunk, changed), `${chunk} at ${at}`).toThrow(FileMismatch);
      }
    }
  });

  it("refuses a cut file, one of another length, and one of another kind", () => {
    const { stored, facts } = encryptedFile(film.subarray(0, 1_000), "image", "Image");
    const open = (changed: Partial<typeof facts>, bytes = stored): Buffer => openChunk({ ...facts, ...changed }, 0, bytes);
    expect(() => open({}, stored.subarray(0, -1))).toThrow(FileMismatch);
    expect(() => open({}, none)).toThrow(FileMismatch);
    expect(() => open({ length: 999 })).toThrow(FileMismatch);
    expect(() => open({ kind: "audio" })).toThrow(FileMismatch);
    expect(() => open({ plainHash: randomBytes(32) })).toThrow(FileMismatch);
  });

  it("checks the hash of a channel's file, which is not encrypted", () => {
    const plain = film.subarray(0, 1_000);
    const { facts } = encryptedFile(plain, "image", "Image");
    const open = { ...facts, mediaKey: none };
    expect(storedRange(open, 0)).toEqual({ from: 0, to: 1_000 });
    expect(openChunk(open, 0, plain)).toEqual(plain);
    expect(() => openChunk(open, 0, randomBytes(1_000))).toThrow(FileMismatch);
  });
});

describe("openWhole", () => {
  it.each([1, 16, 5_000, chunkBytes])("reads a thumbnail of %i bytes whose length is not known", (length) => {
    const { stored, facts } = encryptedFile(film.subarray(0, length), "thumbnail-document", "Document Thumbnail");
    const { from, to } = wholeRange(facts);
    expect(openWhole({ ...facts, length: 0 }, stored.subarray(from, to)).equals(film.subarray(0, length))).toBe(true);
  });

  it("refuses a file that is larger than one chunk", () => {
    const { stored, facts } = encryptedFile(film, "thumbnail-image", "Image Thumbnail");
    const { from, to } = wholeRange(facts);
    expect(() => openWhole({ ...facts, length: 0 }, stored.subarray(from, to))).toThrow(FileMismatch);
  });
});
