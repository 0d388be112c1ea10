import { generatePrimeSync } from "node:crypto";
import { expect, test } from "vitest";
import { factorOf } from "../../../../shard/telegram/network/factors.js";

const primeOf = (bits: number): bigint => generatePrimeSync(bits, { bigint: true });

test.each([8, 16, 20, 24, 28, 30, 31, 32])("finds a factor of the product of two primes of %i bits", (bits) => {
  for (let round = 0; round < 20; round++) {
    const p = primeOf(bits);
    let q = primeOf(bits);
    while (q === p) q = primeOf(bits);
    expect([p, q]).toContain(factorOf(p * q));
  }
});

test("finds none of a prime", () => {
  expect(factorOf(2_147_483_629n)).toBeUndefined();
});
