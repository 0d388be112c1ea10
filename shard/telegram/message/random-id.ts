import { hash } from "node:crypto";
import bigInt, { type BigInteger } from "big-integer";

/**
 * Returns the same id for every repeat of a command, so that a repeat is the same message: the first 8 bytes of
 * SHA-256(`tg|session|command`) as a signed number.
 */
export function randomIdOf(sessionId: string, commandId: string): BigInteger {
  return bigInt(hash("sha256", `tg|${sessionId}|${commandId}`, "buffer").readBigInt64LE());
}
