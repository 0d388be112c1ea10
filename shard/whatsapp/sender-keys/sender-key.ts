import { randomBytes, randomInt } from "node:crypto";
import { SenderKeyRecord } from "@whiskeysockets/baileys/lib/Signal/Group/sender-key-record.js";
import { toJsonBytes } from "../keys/json-bytes.js";
import { x25519KeyPair } from "../network/x25519.js";
import { messageSeed, nextOf, type Chain } from "./chain.js";

/** One author's key for one group. */
export interface SenderKey {
  readonly id: number;
  /** Of the next message that was not seen yet; of one's own, that is not sent yet. */
  chain: Chain;
  /** With the byte that says which curve it is of. */
  readonly publicKey: Buffer;
  /** Of an own one. */
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

/** Takes the seed of this message out of the key: each can be had once. Throws when it was taken before, or lies too far ahead. */
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

/** The form of the library, whose other versions read it: text of a list, the newest key last. */
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

/** By the library's own reader. What it wrote itself has its bytes as decimal numbers, which `Buffer.from` takes too. */
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

/** A key of 32 bytes gets the byte of its curve. */
export function withCurve(key: Uint8Array): Buffer {
  return key.length === 32 ? Buffer.concat([curveByte, key]) : Buffer.from(key);
}

function filled(bytes: Uint8Array | undefined): Buffer | undefined {
  const buffer = Buffer.from(bytes ?? []);
  return buffer.length > 0 ? buffer : undefined;
}

const curveByte = Buffer.of(5);
/** As the library has it. */
const aheadMost = 2_000;
/** An older message is asked for again, as any that cannot be read. */
const leftMost = 100;
