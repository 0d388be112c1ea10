import { createHash, pbkdf2, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { Api } from "telegram";
import bigInt, { type BigInteger } from "big-integer";
import { modularPower } from "../network/fast-crypto.js";

/**
 * Returns the proof for the challenge of `account.getPassword` (SRP over the platform's prime). GramJS blocks the event loop for 83 ms;
 * here PBKDF2 runs on a thread. Throws on parameters that are not the platform's.
 */
export async function solvePasswordChallenge(
  challenge: Api.account.Password,
  password: string,
  secret: Buffer = randomBytes(numberBytes),
): Promise<Api.InputCheckPasswordSRP> {
  const { currentAlgo: algo, srp_B: serverBytes, srpId } = challenge;
  if (!(algo instanceof Api.PasswordKdfAlgoSHA256SHA256PBKDF2HMACSHA512iter100000SHA256ModPow) || !serverBytes || !srpId) {
    throw new Error("password algorithm is unknown");
  }
  if (!algo.p.equals(knownPrime) || ![3, 4, 5, 7].includes(algo.g)) throw new Error("password parameters are not safe");
  const prime = toNumber(knownPrime);
  const generator = bigInt(algo.g);
  const serverValue = toNumber(serverBytes);
  if (!serverValue.greater(0) || !serverValue.lesser(prime)) throw new Error("password challenge is out of range");

  const x = toNumber(await hashPassword(algo.salt1, algo.salt2, password));
  const k = toNumber(sha256(knownPrime, padded(generator)));
  const { a, ownBytes } = ownValue(generator, prime, secret);
  const u = toNumber(sha256(ownBytes, padded(serverValue)));
  const base = serverValue.subtract(k.multiply(modularPower(generator, x, prime))).mod(prime);
  const positive = base.isNegative() ? base.add(prime) : base;
  if (!isSafe(positive, prime)) throw new Error("password challenge is out of range");
  // The order of the group is prime - 1.
  const exponent = a.add(u.multiply(x)).mod(prime.subtract(1));
  const key = sha256(padded(modularPower(positive, exponent, prime)));
  const proof = sha256(
    xor(sha256(knownPrime), sha256(padded(generator))),
    sha256(algo.salt1),
    sha256(algo.salt2),
    ownBytes,
    padded(serverValue),
    key,
  );
  return new Api.InputCheckPasswordSRP({ srpId, A: ownBytes, M1: proof });
}

const numberBytes = 256;
const iterations = 100_000;
const knownPrime = Buffer.from(
  "c71caeb9c6b1c9048e6c522f70f13f73980d40238e3e21c14934d037563d930f48198a0aa7c14058229493d22530f4dbfa336f6e0ac925139543aed44cce7c37" +
    "20fd51f69458705ac68cd4fe6b6b13abdc9746512969328454f18faf8c595f642477fe96bb2a941d5bcd1d4ac8cc49880708fa9b378e3c4f3a9060bee67cf9a4" +
    "a4a695811051907e162753b56b0f6b410dba74d8a84b2a14b3144e0ef1284754fd17ed950d5965b4b9dd46582db1178d169c6bc465b0d6ff9ca3928fef5b9ae4" +
    "e418fc15e83ebea0f87fa9ff5eed70050ded2849f47bf959d956850ce929851f0d8115f635b105ee2e4e15d04b2454bf6f4fadf034b10403119cd8e3b92fcc5b",
  "hex",
);

const derive = promisify(pbkdf2);

async function hashPassword(salt1: Buffer, salt2: Buffer, password: string): Promise<Buffer> {
  const inner = sha256(salt2, sha256(salt1, Buffer.from(password, "utf8"), salt1), salt2);
  return sha256(salt2, await derive(inner, salt1, iterations, 64, "sha512"), salt2);
}

function ownValue(generator: BigInteger, prime: BigInteger, secret: Buffer): { a: BigInteger; ownBytes: Buffer } {
  for (let bytes = secret; ; bytes = randomBytes(numberBytes)) {
    const a = toNumber(bytes).mod(prime.subtract(1));
    if (a.lesser(2)) continue;
    const own = modularPower(generator, a, prime);
    if (isSafe(own, prime)) return { a, ownBytes: padded(own) };
  }
}

/** Returns false for values that are small or close to the prime, because they would reveal the password. */
function isSafe(value: BigInteger, prime: BigInteger): boolean {
  const bitsMin = numberBytes * 8 - 64;
  return value.bitLength().greaterOrEquals(bitsMin) && prime.subtract(value).bitLength().greaterOrEquals(bitsMin);
}

function sha256(...parts: readonly Buffer[]): Buffer {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function xor(left: Buffer, right: Buffer): Buffer {
  return Buffer.from(left.map((byte, index) => byte ^ (right[index] ?? 0)));
}

function toNumber(bytes: Buffer): BigInteger {
  return bigInt(bytes.toString("hex"), 16);
}

function padded(value: BigInteger): Buffer {
  return Buffer.from(value.toString(16).padStart(numberBytes * 2, "0"), "hex");
}
