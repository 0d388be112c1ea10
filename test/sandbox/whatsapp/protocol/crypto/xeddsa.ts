/**
 * Verifies Curve25519 signatures; the library's `Curve.verify` accepts any 64 bytes. The Montgomery key u maps to the Edwards point y = (u
 * - 1) / (u + 1), whose sign is the signature's last bit.
 */
import { createPublicKey, verify } from "node:crypto";

const prime = 2n ** 255n - 19n;
/** The DER bytes of an Ed25519 key before its 32 key bytes. */
const derPrefix = Buffer.from("302a300506032b6570032100", "hex");

/** Verifies with a `publicKey` of 32 bytes. Never throws: malformed input is invalid. */
export function isSignedBy(publicKey: Buffer, message: Buffer, signature: Buffer): boolean {
  if (publicKey.length !== 32 || signature.length !== 64) return false;
  const sign = (signature[63] ?? 0) & 0x80;
  const u = littleEndian(publicKey) % prime;
  const y = ((u - 1n + prime) * inverse(u + 1n)) % prime;
  const edwards = Buffer.from(y.toString(16).padStart(64, "0"), "hex").reverse();
  edwards.writeUInt8(edwards.readUInt8(31) | sign, 31);
  const plain = Buffer.from(signature);
  plain.writeUInt8(plain.readUInt8(63) & 0x7f, 63);
  try {
    return verify(null, message, createPublicKey({ key: Buffer.concat([derPrefix, edwards]), format: "der", type: "spki" }), plain);
  } catch {
    return false; // Not a point on the curve.
  }
}

function littleEndian(bytes: Buffer): bigint {
  const reversed = Buffer.from(bytes).reverse();
  reversed.writeUInt8(reversed.readUInt8(0) & 0x7f, 0);
  return BigInt(`0x${reversed.toString("hex")}`);
}

/** Fermat's inverse: a^(p-2). */
function inverse(value: bigint): bigint {
  let result = 1n;
  let base = value % prime;
  for (let exponent = prime - 2n; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = (result * base) % prime;
    base = (base * base) % prime;
  }
  return result;
}
