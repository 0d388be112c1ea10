import { diffieHellman, randomBytes, type KeyObject } from "node:crypto";
import { privateKeyObject, publicBytes, publicKeyObject } from "./key-object.js";

/** A Curve25519 key pair as bytes, 32 each. */
export interface X25519KeyPair {
  readonly private: Buffer;
  readonly public: Buffer;
}

/** Does not use OpenSSL's generator: exporting its keys has hung forever in a loop of some thousands on Node 20. */
export function x25519KeyPair(): X25519KeyPair {
  const key = clampedKey(randomBytes(32));
  const object = privateKeyObject("X25519", key);
  made.set(key, object);
  return { private: key, public: publicBytes(object) };
}

/** Returns the bytes as a private key of RFC 7748. */
export function clampedKey(bytes: Uint8Array): Buffer {
  const key = Buffer.from(bytes);
  key[0] = (key[0] ?? 0) & 248;
  key[31] = ((key[31] ?? 0) & 127) | 64;
  return key;
}

/** Returns the public half of a private key of 32 bytes. */
export function x25519PublicKey(privateKey: Uint8Array): Buffer {
  return publicBytes(privateKeyObject("X25519", privateKey));
}

/** Returns the shared secret of two keys of 32 bytes. Throws when a key has another length, or the secret would be zero. */
export function x25519Agreement(privateKey: Uint8Array, publicKey: Uint8Array): Buffer {
  return diffieHellman({
    privateKey: made.get(privateKey) ?? privateKeyObject("X25519", privateKey),
    publicKey: publicKeyObject("X25519", publicKey),
  });
}

/** OpenSSL's objects of the keys made here, kept while their bytes are in use: a first message agrees with the same new key three times. */
const made = new WeakMap<Uint8Array, KeyObject>();
