// Imported first, and as the whole shard: its first import decides whether the TL classes get the fast functions.
import "../../../../shard/shard.js";
import { randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import bigInt from "big-integer";
import { Api } from "telegram";
import { describe, expect, test, vi } from "vitest";
import type { IntegerHelpers } from "../../../../shard/telegram/network/fast-integers.js";

const require = createRequire(import.meta.url);
const file = require.resolve("telegram/Helpers.js");
const fast = require(file) as IntegerHelpers;
// The library's own functions.
Reflect.deleteProperty(require.cache, file);
const slow = require(file) as IntegerHelpers;

const edges = [
  "0000000000000000",
  "0100000000000000",
  "ffffffffffffffff",
  "0000000000000080",
  "ffffffffffffff7f",
  "ff00000000000000",
  "00000000000000ff",
].map((hex) => Buffer.from(hex, "hex"));
const some = [...edges, ...Array.from({ length: 200 }, () => randomBytes(8))];

describe("fast integers", () => {
  test("are in use, beside the library's own", () => {
    expect(fast.readBigIntFromBuffer).not.toBe(slow.readBigIntFromBuffer);
  });

  test.each([
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ])("reads 8 bytes as GramJS does: little %s, signed %s", (little, signed) => {
    for (const bytes of some)
      expect(fast.readBigIntFromBuffer(bytes, little, signed).toString()).toBe(slow.readBigIntFromBuffer(bytes, little, signed).toString());
  });

  test("reads from the middle of a larger buffer", () => {
    const bytes = randomBytes(40).subarray(3, 11);
    expect(fast.readBigIntFromBuffer(bytes).toString()).toBe(slow.readBigIntFromBuffer(bytes).toString());
  });

  test.each([0, 1, 7, 16, 20, 32, 256])("leaves %i bytes to the library", (length) => {
    const bytes = randomBytes(length);
    expect(fast.readBigIntFromBuffer(bytes, false, true).toString()).toBe(slow.readBigIntFromBuffer(bytes, false, true).toString());
  });

  test("writes what it reads, as GramJS does, whatever kind of number it is given", () => {
    for (const bytes of some) {
      const signed = slow.readBigIntFromBuffer(bytes, true, true);
      for (const value of [signed, slow.readBigIntFromBuffer(bytes), BigInt(signed.toString()), signed.toString()]) {
        expect(fast.toSignedLittleBuffer(value).equals(bytes)).toBe(true);
        expect(slow.toSignedLittleBuffer(value).equals(bytes)).toBe(true);
      }
    }
    expect(fast.toSignedLittleBuffer(bigInt(-2), 16).equals(slow.toSignedLittleBuffer(bigInt(-2), 16))).toBe(true);
  });

  test("writes numbers without a sign as GramJS does, and refuses the same", () => {
    for (const bytes of some) {
      const value = slow.readBigIntFromBuffer(bytes);
      expect(fast.readBufferFromBigInt(value, 8).equals(slow.readBufferFromBigInt(value, 8))).toBe(true);
      expect(fast.readBufferFromBigInt(value, 8, false).equals(slow.readBufferFromBigInt(value, 8, false))).toBe(true);
    }
    expect(() => fast.readBufferFromBigInt(bigInt(-1), 8)).toThrow("Cannot convert to unsigned");
    expect(() => fast.readBufferFromBigInt(bigInt(2).pow(64), 8)).toThrow("too big");
    expect(fast.readBufferFromBigInt(bigInt(-1), 8, true, true).equals(slow.readBufferFromBigInt(bigInt(-1), 8, true, true))).toBe(true);
  });

  test("serve the TL classes, which keep what they find when they are loaded", () => {
    const id = bigInt("-5055300512471318283");
    const shifted = vi.spyOn(Object.getPrototypeOf(id) as { shiftRight: (bits: number) => unknown }, "shiftRight");
    const bytes = new Api.Ping({ pingId: id }).getBytes();
    expect(shifted).not.toHaveBeenCalled();
    expect(bytes.subarray(4).equals(slow.toSignedLittleBuffer(id))).toBe(true);
    expect(shifted).toHaveBeenCalled();
    shifted.mockRestore();
  });
});
