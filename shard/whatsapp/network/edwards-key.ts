/**
 * The Edwards form of a Curve25519 key, as Ed25519 takes it: a Montgomery key u is the point y = (u - 1) / (u + 1), and `signBit` (0 or 0x80) tells which of the
 * two points with that y. Public keys only: the arithmetic takes another time for each number.
 */
export function edwardsKey(montgomery: Uint8Array, signBit: number): Buffer {
  const u = (littleEndian(montgomery) & lowBits) % prime;
  const key = toLittleEndian(((u - 1n + prime) * inverse((u + 1n) % prime)) % prime);
  key[31] = (key[31] ?? 0) | signBit;
  return key;
}

function littleEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString("hex")}`);
}

/** In 32 bytes. */
function toLittleEndian(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, "0"), "hex").reverse();
}

const prime = 2n ** 255n - 19n;
/** The highest bit of a key is not part of it. */
const lowBits = 2n ** 255n - 1n;

/** Euclid's way, four times as fast here as Fermat's. The inverse of 0 is 0. */
function inverse(value: bigint): bigint {
  let [high, low, before, factor] = [prime, value, 0n, 1n];
  while (low !== 0n) {
    const quotient = high / low;
    [high, low] = [low, high - quotient * low];
    [before, factor] = [factor, before - quotient * factor];
  }
  return high === 1n ? (before + prime) % prime : 0n;
}
