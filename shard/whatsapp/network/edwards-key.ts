import { ed25519 } from "@noble/curves/ed25519.js";
import { bytesToNumberLE } from "@noble/curves/utils.js";

const { Fp } = ed25519.Point;
/** Masks the highest bit, which is not part of a key's number (RFC 7748, section 5). */
const keyBits = 2n ** 255n - 1n;

/**
 * Returns the Edwards form of a Montgomery key u (RFC 7748, section 4.1). `signBit` (0 or 0x80) selects one of the two points. Throws for
 * u = -1. Only for public keys, because the duration depends on the number.
 */
export function edwardsKey(montgomery: Uint8Array, signBit: number): Buffer {
  const u = Fp.create(bytesToNumberLE(montgomery) & keyBits);
  const key = Buffer.from(Fp.toBytes(Fp.div(Fp.sub(u, Fp.ONE), Fp.add(u, Fp.ONE))));
  key[31] = (key[31] ?? 0) | signBit;
  return key;
}
