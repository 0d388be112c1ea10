import { randomBytes } from "node:crypto";
import { type BigInteger } from "big-integer";
import bigInt from "big-integer";

/** A random signed 64-bit number, as the platform's `long`. */
export function randomLong(): BigInteger {
  return bigInt(randomBytes(8).readBigInt64LE().toString());
}
