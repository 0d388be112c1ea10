import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { multiplyAdd } from "../../../../shard/whatsapp/network/scalar.js";

const order = 2n ** 252n + 27742317777372353535851937790883648493n;
const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).reverse().toString("hex")}`);
const bytesOf = (value: bigint, length: number): Buffer => Buffer.from(value.toString(16).padStart(2 * length, "0"), "hex").reverse();
const expected = (a: Uint8Array, b: Uint8Array, c: Uint8Array): string =>
  bytesOf((numberOf(a) * numberOf(b) + numberOf(c)) % order, 32).toString("hex");
const ours = (a: Uint8Array, b: Uint8Array, c: Uint8Array): string => multiplyAdd(a, b, c).toString("hex");

it("is what BigInt makes of it, for random numbers", () => {
  for (let n = 0; n < 5_000; n++) {
    const [a, b, c] = [randomBytes(64), randomBytes(32), randomBytes(64)];
    expect(ours(a, b, c)).toBe(expected(a, b, c));
  }
});

it("is what BigInt makes of it, at the ends and around each multiple of the order", () => {
  const wide = [
    0n,
    1n,
    order - 1n,
    order,
    order + 1n,
    16n * order - 1n,
    16n * order,
    2n ** 252n - 1n,
    2n ** 252n,
    2n ** 256n,
    2n ** 512n - 1n,
  ];
  const narrow = [0n, 1n, order - 1n, order, order + 1n, 2n ** 252n - 1n, 2n ** 255n - 1n, 2n ** 256n - 1n];
  for (const a of wide)
    for (const b of narrow)
      for (const c of wide) {
        const given = [bytesOf(a, 64), bytesOf(b, 32), bytesOf(c, 64)] as const;
        expect(ours(...given)).toBe(expected(...given));
      }
});
