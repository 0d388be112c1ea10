import { randomBytes } from "node:crypto";
import bigInt, { type BigInteger } from "big-integer";

/** A random signed 64-bit number, as the platform's `long`. */
export function randomLong(): BigInteger {
  return bigInt(randomBytes(8).readBigInt64LE().toString());
}
