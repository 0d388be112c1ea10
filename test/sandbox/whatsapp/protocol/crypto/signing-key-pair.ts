/**
 * A Curve25519 key pair derived from an Ed25519 seed. It signs natively in 0.1 ms, the library in 7 ms, and the signatures are equally
 * valid. A status to thousands of contacts creates thousands of identities.
 */
import { createHash, randomBytes, sign } from "node:crypto";
import type { KeyPair } from "@whiskeysockets/baileys";
import { privateKeyObject, publicBytes } from "./key-object.js";

export interface SigningKeyPair {
  readonly pair: KeyPair;
  sign(message: Uint8Array): Buffer;
}

/** The same `seed` yields the same pair. */
export function signingKeyPair(seed: Buffer = randomBytes(32)): SigningKeyPair {
  const signing = privateKeyObject("Ed25519", seed);
  // Ed25519 hashes its seed to a scalar, which is also the private key of the Curve25519 form.
  const scalar = createHash("sha512").update(seed).digest().subarray(0, 32);
  scalar.writeUInt8(scalar.readUInt8(0) & 0xf8, 0);
  scalar.writeUInt8((scalar.readUInt8(31) & 0x7f) | 0x40, 31);
  const signBit = publicBytes(signing).readUInt8(31) & 0x80;
  return {
    pair: { private: Buffer.from(scalar), public: publicBytes(privateKeyObject("X25519", scalar)) },
    sign: (message) => {
      const signature = sign(null, message, signing);
      signature.writeUInt8(signature.readUInt8(63) | signBit, 63);
      return signature;
    },
  };
}
