/**
 * Keys and agreements of Curve25519, by OpenSSL. The gateway has its own way to the same curve, which this must not share: two sides that share a mistake agree.
 */
import { diffieHellman, randomBytes } from "node:crypto";
import { privateKeyObject, publicBytes, publicKeyObject } from "./key-object.js";

/** 32 bytes each. */
export interface X25519KeyPair {
  readonly private: Buffer;
  readonly public: Buffer;
}

export function x25519KeyPair(): X25519KeyPair {
  const bytes = randomBytes(32);
  return { private: bytes, public: publicBytes(privateKeyObject("X25519", bytes)) };
}

/** Throws when a key has another length, or the secret would be zero. */
export function x25519Agreement(privateKey: Uint8Array, publicKey: Uint8Array): Buffer {
  return diffieHellman({ privateKey: privateKeyObject("X25519", privateKey), publicKey: publicKeyObject("X25519", publicKey) });
}
