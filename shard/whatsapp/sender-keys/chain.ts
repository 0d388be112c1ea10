import { createCipheriv, createDecipheriv, createHmac } from "node:crypto";

/**
 * The position of an author's key chain. Each message of a group uses one key of the chain, and only later keys can be derived from a
 * position.
 */
export interface Chain {
  readonly iteration: number;
  readonly seed: Buffer;
}

export function nextOf({ iteration, seed }: Chain): Chain {
  return { iteration: iteration + 1, seed: hmac(seed, nextSeed) };
}

/** Returns the chain after this many messages. */
export function advanced(chain: Chain, by: number): Chain {
  let at = chain;
  for (let step = 0; step < by; step += 1) at = nextOf(at);
  return at;
}

/** Returns the seed that encrypts the message at this position. */
export function messageSeed({ seed }: Chain): Buffer {
  return hmac(seed, keySeed);
}

export function encrypt(seed: Buffer, text: Uint8Array): Buffer {
  const { key, iv } = keysOf(seed);
  const cipher = createCipheriv("aes-256-cbc", key, iv);
  return Buffer.concat([cipher.update(text), cipher.final()]);
}

/** Throws when the bytes were encrypted with another key. */
export function decrypt(seed: Buffer, bytes: Uint8Array): Buffer {
  const { key, iv } = keysOf(seed);
  const decipher = createDecipheriv("aes-256-cbc", key, iv);
  return Buffer.concat([decipher.update(bytes), decipher.final()]);
}

/** HKDF with the info `WhisperGroup`: 16 bytes of vector, 32 of key. */
function keysOf(seed: Buffer): { readonly iv: Buffer; readonly key: Buffer } {
  const secret = hmac(noSalt, seed);
  const first = hmac(secret, firstInfo);
  const second = hmac(secret, Buffer.concat([first, secondInfo]));
  return { iv: first.subarray(0, 16), key: Buffer.concat([first.subarray(16), second.subarray(0, 16)]) };
}

function hmac(key: Buffer, data: Buffer): Buffer {
  return createHmac("sha256", key).update(data).digest();
}

const keySeed = Buffer.of(1);
const nextSeed = Buffer.of(2);
const noSalt = Buffer.alloc(32);
const firstInfo = Buffer.from("WhisperGroup\x01", "latin1");
const secondInfo = Buffer.from("WhisperGroup\x02", "latin1");
