import { getDiffieHellman, randomBytes, randomInt } from "node:crypto";
import { createRequire } from "node:module";
import bigInt from "big-integer";
import { IGE } from "telegram/crypto/IGE.js";
import { crc32, modExp } from "telegram/Helpers.js";
import { describe, expect, test } from "vitest";
import { FastIge, installFastCrypto, modularPower } from "../../../../shard/telegram/network/fast-crypto.js";
import { decryptIge } from "../../../../shard/telegram/network/ige-decryption.js";
import { encryptIge } from "../../../../shard/telegram/network/ige.js";

const prime = bigInt(getDiffieHellman("modp14").getPrime("hex"), 16);

describe("fast crypto", () => {
  test.each([16, 32, 48, 64, 1024, 524_288])("encrypts %i bytes as GramJS does", (length) => {
    const [key, iv, plain] = [randomBytes(32), randomBytes(32), randomBytes(length)];
    const encrypted = encryptIge(key, iv, plain);
    expect(encrypted.equals(new IGE(key, iv).encryptIge(plain))).toBe(true);
    expect(new IGE(key, iv).decryptIge(encrypted).equals(plain)).toBe(true);
    expect(decryptIge(key, iv, encrypted).equals(plain)).toBe(true);
  });

  test("decrypts from the middle of a larger buffer, many at a time, each into memory of its own", () => {
    const results = Array.from({ length: 20 }, () => {
      const [key, iv, pool] = [randomBytes(32), randomBytes(35).subarray(3), randomBytes(20_005)];
      const encrypted = pool.subarray(5, 20_005);
      return { decrypted: new FastIge(key, iv).decryptIge(encrypted), expected: new IGE(key, iv).decryptIge(encrypted) };
    });
    for (const { decrypted, expected } of results) expect(decrypted.equals(expected)).toBe(true);
  });

  test("decrypts as GramJS does, whatever the length, also in place", () => {
    const lengths = [
      ...Array.from({ length: 60 }, () => 16 * randomInt(1, 400)),
      65_520,
      65_536,
      65_552,
      131_072,
      131_088,
      16 * randomInt(8_192, 20_000),
    ];
    for (const length of lengths) {
      const [key, iv, encrypted] = [randomBytes(32), randomBytes(32), randomBytes(length)];
      const expected = new IGE(key, iv).decryptIge(encrypted);
      expect(decryptIge(key, iv, encrypted).equals(expected)).toBe(true);
      expect(decryptIge(key, iv, encrypted, encrypted)).toBe(encrypted);
      expect(encrypted.equals(expected)).toBe(true);
    }
  });

  test.each([0, 1, 15, 17])("leaves %i bytes, which are no whole blocks, to the library", (length) => {
    const [key, iv, bytes] = [randomBytes(32), randomBytes(32), randomBytes(length)];
    const attempt = (ige: IGE): string => {
      try {
        return ige.decryptIge(bytes).toString("hex");
      } catch (error) {
        return String(error);
      }
    };
    expect(attempt(new FastIge(key, iv))).toBe(attempt(new IGE(key, iv)));
  });

  test("encrypts from the middle of a larger buffer", () => {
    const [key, iv, pool] = [randomBytes(32), randomBytes(35).subarray(3), randomBytes(101)];
    const plain = pool.subarray(5, 101);
    expect(new FastIge(key, iv).encryptIge(plain).equals(new IGE(key, iv).encryptIge(plain))).toBe(true);
  });

  test("fills an incomplete block as GramJS does", () => {
    const [key, iv, plain] = [randomBytes(32), randomBytes(32), randomBytes(20)];
    const encrypted = new FastIge(key, iv).encryptIge(plain);
    expect(encrypted.length).toBe(32);
    expect(new IGE(key, iv).decryptIge(encrypted).subarray(0, 20).equals(plain)).toBe(true);
  });

  test("raises to powers as GramJS does", () => {
    for (let round = 0; round < 5; round++) {
      const base = bigInt(randomBytes(256).toString("hex"), 16);
      const exponent = bigInt(randomBytes(256).toString("hex"), 16).mod(prime);
      expect(modularPower(base, exponent, prime).equals(modExp(base.mod(prime), exponent, prime))).toBe(true);
    }
    const largest = bigInt(2).pow(2048).minus(1);
    for (const exponent of [prime, prime.plus(1), largest, largest.minus(1)])
      expect(modularPower(bigInt(3), exponent, prime).equals(modExp(bigInt(3), exponent, prime))).toBe(true);
    expect(modularPower(bigInt(3), bigInt(65_537), prime).equals(modExp(bigInt(3), bigInt(65_537), prime))).toBe(true);
  });

  test("takes GramJS's place, once", () => {
    const require = createRequire(import.meta.url);
    const bytes = randomBytes(1000);
    const before = crc32(bytes);
    installFastCrypto();
    installFastCrypto();
    const helpers: { crc32: (bytes: Buffer) => number; modExp: typeof modExp } = require("telegram/Helpers.js");
    expect(helpers.crc32(bytes)).toBe(before);
    // Small numbers still use the library's own function.
    expect(helpers.modExp(bigInt(5), bigInt(3), bigInt(13)).toJSNumber()).toBe(8);
    expect(require("telegram/crypto/IGE.js").IGE).toBe(FastIge);
    const { Factorizator } = require("telegram/crypto/Factorizator.js") as typeof import("telegram/crypto/Factorizator.js");
    for (const [p, q] of [
      [2, 1_402_015_859],
      [1_229_739_323, 1_402_015_859],
      [2_147_483_587, 2_147_483_629],
    ] as const) {
      const factors = Factorizator.factorize(bigInt(p).multiply(q));
      expect([factors.p.toJSNumber(), factors.q.toJSNumber()]).toEqual([p, q]);
    }
    const largestPrime = bigInt("18446744073709551557");
    for (const product of [largestPrime, largestPrime.multiply(3)])
      expect(() => Factorizator.factorize(product)).toThrow("the server's number has no two factors below 2^64");
  });
});
