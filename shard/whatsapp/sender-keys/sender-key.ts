import { randomBytes, randomInt } from "node:crypto";
import { SenderKeyRecord } from "@whiskeysockets/baileys/lib/Signal/Group/sender-key-record.js";
import { toJsonBytes } from "../keys/json-bytes.js";
import { x25519KeyPair } from "../network/x25519.js";
import { messageSeed, nextOf, type Chain } from "./chain.js";

/** One author's key for one group. */
export interface SenderKey {
  readonly id: number;
  /** Position of the next message: not yet received, or for the account's own key not yet sent. */
  chain: Chain;
  /** Includes the byte that names its curve. */
  readonly publicKey: Buffer;
  /** Set only for the account's own key. */
  readonly privateKey: Buffer | undefined;
  /** Seeds of messages that others have overtaken, oldest first. */
  readonly left: Map<number, Buffer>;
}

export function newSenderKey(): SenderKey {
  const pair = x25519KeyPair();
  return {
    id: randomInt(2 ** 31 - 1),
    chain: { iteration: 0, seed: randomBytes(32) },
    publicKey: Buffer.concat([curveByte, pair.public]),
    privateKey: pair.private,
    left: new Map(),
  };
}

/** Takes the seed of this message out of the key, once. Throws when it was taken before, or lies too far ahead. */
export function takeSeed(key: SenderKey, iteration: number): Buffer {
  const { chain, left } = key;
  if (iteration < chain.iteration) {
    const seed = left.get(iteration);
    if (seed === undefined) throw new Error("a group's message was read before, or is too old");
    left.delete(iteration);
    return seed;
  }
  if (iteration - chain.iteration > aheadMost) throw new Error("a group's message is too far ahead of the last one");
  let at = chain;
  for (; at.iteration < iteration; at = nextOf(at)) if (iteration - at.iteration <= leftMost) left.set(at.iteration, messageSeed(at));
  for (const oldest of left.keys()) {
    if (left.size <= leftMost) break;
    left.delete(oldest);
  }
  key.chain = nextOf(at);
  return messageSeed(at);
}

/** Encodes keys in the library's format, which its other versions read: JSON text of a list, the newest key last. */
export function toStored(keys: readonly SenderKey[]): Buffer {
  return toJsonBytes(
    keys.map(({ id, chain, publicKey, privateKey, left }) => ({
      senderKeyId: id,
      senderChainKey: { iteration: chain.iteration, seed: chain.seed },
      senderSigningKey: { public: publicKey, private: privateKey ?? Buffer.alloc(0) },
      senderMessageKeys: [...left].map(([iteration, seed]) => ({ iteration, seed })),
    })),
  );
}

/** Decodes with the library's own reader. Bytes that the library wrote are decimal numbers, which `Buffer.from` accepts too. */
export function fromStored(stored: Uint8Array): SenderKey[] {
  return SenderKeyRecord.deserialize(stored)
    .serialize()
    .map(({ senderKeyId, senderChainKey, senderSigningKey, senderMessageKeys }) => ({
      id: senderKeyId,
      chain: { iteration: senderChainKey.iteration, seed: Buffer.from(senderChainKey.seed) },
      publicKey: withCurve(Buffer.from(senderSigningKey.public)),
      privateKey: filled(senderSigningKey.private),
      left: new Map(senderMessageKeys.slice(-leftMost).map(({ iteration, seed }) => [iteration, Buffer.from(seed)])),
    }));
}

/** Adds the curve's byte to a key of 32 bytes. */
export function withCurve(key: Uint8Array): Buffer {
  return key.length === 32 ? Buffer.concat([curveByte, key]) : Buffer.from(key);
}

function filled(bytes: Uint8Array | undefined): Buffer | undefined {
  const buffer = Buffer.from(bytes ?? []);
  return buffer.length > 0 ? buffer : undefined;
}

const curveByte = Buffer.of(5);
/** The same limit as in the library. */
const aheadMost = 2_000;
/** The library requests an older message again, like any unreadable one. */
const leftMost = 100;
