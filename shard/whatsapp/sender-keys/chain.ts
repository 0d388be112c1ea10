import { createCipheriv, createDecipheriv, createHmac } from "node:crypto";

/** Where an author's chain of keys stands: each message of a group has one key of it, and from any of them only the later ones can be made. */
export interface Chain {
  readonly iteration: number;
  readonly seed: Buffer;
}

export function nextOf({ iteration, seed }: Chain): Chain {
  return { iteration: iteration + 1, seed: hmac(seed, nextSeed) };
}

/** The chain so many messages later. */
export function advanced(chain: Chain, by: number): Chain {
  let at = chain;
  for (let step = 0; step < by; step += 1) at = nextOf(at);
  return at;
}

/** What the message at this place of the chain is encrypted with. */
export function messageSeed({ seed }: Chain): Buffer {
  return hmac(seed, keySeed);
}

export function encrypt(seed: Buffer, text: Uint8Array): Buffer {
  const { key, iv } = keysOf(seed);
  const cipher = createCipheriv("aes-256-cbc", key, iv);
  return Buffer.concat([cipher.update(text), cipher.final()]);
}

/** Throws when it was encrypted with another key. */
export function decrypt(seed: Buffer, bytes: Uint8Array): Buffer {
  const { key, iv } = keysOf(seed);
  const decipher = createDecipheriv("aes-256-cbc", key, iv);
  return Buffer.concat([decipher.update(bytes), decipher.final()]);
}

/** HKDF, as `WhisperGroup`: 16 bytes of vector, 32 of key. */
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
