import { createHash, pbkdf2, randomBytes } from "node:crypto";
import { promisify } from "node:util";

/** The platform's well-known 2048-bit prime, with generator 3. */
export const srpPrime = Buffer.from(
  "c71caeb9c6b1c9048e6c522f70f13f73980d40238e3e21c14934d037563d930f48198a0aa7c14058229493d22530f4dbfa336f6e0ac925139543aed44cce7c3720fd51f69458705ac68cd4fe6b6b13abdc9746512969328454f18faf8c595f642477fe96bb2a941d5bcd1d4ac8cc49880708fa9b378e3c4f3a9060bee67cf9a4a4a695811051907e162753b56b0f6b410dba74d8a84b2a14b3144e0ef1284754fd17ed950d5965b4b9dd46582db1178d169c6bc465b0d6ff9ca3928fef5b9ae4e418fc15e83ebea0f87fa9ff5eed70050ded2849f47bf959d956850ce929851f0d8115f635b105ee2e4e15d04b2454bf6f4fadf034b10403119cd8e3b92fcc5b",
  "hex",
);
export const srpGenerator = 3;

/** The platform's stored form of a password. */
export interface PasswordVerifier {
  readonly salt1: Buffer;
  readonly salt2: Buffer;
  readonly v: bigint;
}

/** A challenge of account.getPassword. Its id is valid for one try. */
export interface PasswordChallenge {
  readonly id: string;
  readonly b: bigint;
  readonly B: Buffer;
}

const slowHash = promisify(pbkdf2);
const p = toBig(srpPrime);
const g = BigInt(srpGenerator);
const gPadded = toBytes(g);
const k = toBig(sha256(srpPrime, gPadded));

export async function passwordVerifier(password: string): Promise<PasswordVerifier> {
  const salt1 = randomBytes(40);
  const salt2 = randomBytes(16);
  const inner = sha256(salt2, sha256(salt1, Buffer.from(password), salt1), salt2);
  const slow = await slowHash(inner, salt1, 100_000, 64, "sha512");
  return { salt1, salt2, v: modPow(g, toBig(sha256(salt2, slow, salt2)), p) };
}

export function passwordChallenge({ v }: PasswordVerifier): PasswordChallenge {
  const b = toBig(randomBytes(256));
  const id = BigInt(`0x${randomBytes(7).toString("hex")}`).toString();
  return { id, b, B: toBytes((k * v + modPow(g, b, p)) % p) };
}

/** Verifies the client's proof `M1` for its `A`. */
export function provesPassword(verifier: PasswordVerifier, challenge: PasswordChallenge, a: Buffer, proof: Buffer): boolean {
  const A = toBig(a);
  if (A <= 0n || A >= p) return false;
  const aPadded = toBytes(A);
  const u = toBig(sha256(aPadded, challenge.B));
  const shared = modPow((A * modPow(verifier.v, u, p)) % p, challenge.b, p);
  const mixed = sha256(srpPrime);
  const hashedG = sha256(gPadded);
  for (let i = 0; i < 32; i++) mixed[i] = (mixed[i] ?? 0) ^ (hashedG[i] ?? 0);
  return sha256(mixed, sha256(verifier.salt1), sha256(verifier.salt2), aPadded, challenge.B, sha256(toBytes(shared))).equals(proof);
}

function sha256(...parts: Buffer[]): Buffer {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function toBig(bytes: Buffer): bigint {
  return BigInt(`0x${bytes.toString("hex") || "0"}`);
}

function toBytes(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(512, "0"), "hex");
}

function modPow(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  let square = base % modulus;
  for (let e = exponent; e > 0n; e >>= 1n) {
    if (e & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}
