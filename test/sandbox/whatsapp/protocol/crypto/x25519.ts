/** Curve25519 keys and agreements by OpenSSL. The gateway uses another implementation; a shared one would hide its mistakes. */
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

/** Throws when a key has the wrong length or the secret would be zero. */
export function x25519Agreement(privateKey: Uint8Array, publicKey: Uint8Array): Buffer {
  return diffieHellman({ privateKey: privateKeyObject("X25519", privateKey), publicKey: publicKeyObject("X25519", publicKey) });
}
