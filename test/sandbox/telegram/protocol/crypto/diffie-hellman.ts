/** The server's half of the Diffie-Hellman exchange, over the prime that all Telegram clients know. */
import { constants, createPublicKey, publicEncrypt, randomBytes } from "node:crypto";
import { ProtocolViolation } from "../violation.js";

export const generator = 3;

export const prime = Buffer.from(
  "c71caeb9c6b1c9048e6c522f70f13f73980d40238e3e21c14934d037563d930f48198a0aa7c14058229493d22530f4dbfa336f6e0ac925139543aed44cce7c37" +
    "20fd51f69458705ac68cd4fe6b6b13abdc9746512969328454f18faf8c595f642477fe96bb2a941d5bcd1d4ac8cc49880708fa9b378e3c4f3a9060bee67cf9a4" +
    "a4a695811051907e162753b56b0f6b410dba74d8a84b2a14b3144e0ef1284754fd17ed950d5965b4b9dd46582db1178d169c6bc465b0d6ff9ca3928fef5b9ae4" +
    "e418fc15e83ebea0f87fa9ff5eed70050ded2849f47bf959d956850ce929851f0d8115f635b105ee2e4e15d04b2454bf6f4fadf034b10403119cd8e3b92fcc5b",
  "hex",
);

/** Public values closer than this to either end reveal the secret. Clients reject them too. */
const margin = 1n << (2_048n - 64n);
const primeValue = BigInt(`0x${prime.toString("hex")}`);

export interface Exponent {
  readonly secret: Buffer;
  /** The generator to the power of the secret, 256 bytes. */
  readonly publicValue: Buffer;
}

export class DiffieHellman {
  private readonly fixed: Exponent | undefined;

  /** A fixed secret exponent saves a computation per exchange in load tests. */
  constructor(fixedSecret?: Buffer) {
    this.fixed = fixedSecret && exponentOf(fixedSecret);
  }

  exponent(): Exponent {
    if (this.fixed) return this.fixed;
    return exponentOf(randomBytes(prime.length));
  }

  /** Returns the shared secret, 256 bytes. */
  secret(exponent: Exponent, peerValue: Buffer): Buffer {
    const value = peerValue.length > 0 && peerValue.length <= prime.length ? BigInt(`0x${peerValue.toString("hex")}`) : 0n;
    if (value <= margin || value >= primeValue - margin) throw new ProtocolViolation("public value out of range");
    return power(peerValue, exponent.secret);
  }
}

function exponentOf(secret: Buffer): Exponent {
  return { secret, publicValue: power(Buffer.from([generator]), secret) };
}

/**
 * Returns `base ^ exponent` modulo the prime, as RSA without padding. OpenSSL's Diffie-Hellman object would first spend over a second of
 * CPU per process on checking the prime.
 */
function power(base: Buffer, exponent: Buffer): Buffer {
  // Fermat: exponents that are equal modulo the prime minus one give the same power.
  const reduced = padded(BigInt(`0x${exponent.toString("hex")}`) % (primeValue - 1n));
  const key = createPublicKey({ key: { kty: "RSA", n: prime.toString("base64url"), e: reduced.toString("base64url") }, format: "jwk" });
  return publicEncrypt({ key, padding: constants.RSA_NO_PADDING }, padded(BigInt(`0x${base.toString("hex")}`)));
}

function padded(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(prime.length * 2, "0"), "hex");
}
