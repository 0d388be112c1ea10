import { createCipheriv, randomBytes, randomInt } from "node:crypto";
import { generateSignalPubKey, proto } from "@whiskeysockets/baileys";
import { SenderChainKey } from "@whiskeysockets/baileys/lib/Signal/Group/sender-chain-key.js";
import { type SigningKeyPair, signingKeyPair } from "../crypto/signing-key-pair.js";
import type { MemoryKeys } from "./memory-keys.js";

/** A message to a group, and what lets a device read it and the later ones. */
export interface SealedForGroup {
  readonly senderKeyDistributionMessage: Uint8Array;
  readonly ciphertext: Uint8Array;
}

interface OwnSenderKey {
  readonly id: number;
  readonly signing: SigningKeyPair;
  readonly signingSeed: Buffer;
  /** Of the next message. */
  chain: SenderChainKey;
}

interface StoredSenderKey {
  readonly id: number;
  readonly signingSeed: string;
  readonly iteration: number;
  readonly chainKey: string;
}

/**
 * A phone's own keys for its groups, of which each message takes the next, as phones do. The library leaves every second one out and keeps it, up to two thousand, in a text that it reads
 * and writes for each message, and signs in JavaScript: some 20 ms by message, with a client that waits for it.
 */
export class OwnSenderKeys {
  private readonly cached = new Map<string, OwnSenderKey>();

  constructor(private readonly keys: Pick<MemoryKeys, "get" | "set">) {}

  encrypt(group: string, padded: Uint8Array): SealedForGroup {
    const key = this.of(group);
    const { id, signing, chain } = key;
    const messageKey = chain.getSenderMessageKey();
    const cipher = createCipheriv("aes-256-cbc", messageKey.getCipherKey(), messageKey.getIv());
    const ciphertext = Buffer.concat([cipher.update(padded), cipher.final()]);
    const message = Buffer.concat([version, proto.SenderKeyMessage.encode({ id, iteration: chain.getIteration(), ciphertext }).finish()]);
    const distribution = {
      id,
      iteration: chain.getIteration(),
      chainKey: chain.getSeed(),
      signingKey: generateSignalPubKey(signing.pair.public),
    };
    key.chain = chain.getNext();
    this.store(group, key);
    return {
      senderKeyDistributionMessage: Buffer.concat([version, proto.SenderKeyDistributionMessage.encode(distribution).finish()]),
      ciphertext: Buffer.concat([message, signing.sign(message)]),
    };
  }

  private of(group: string): OwnSenderKey {
    let key = this.cached.get(group);
    if (key === undefined) {
      key = this.stored(group) ?? made(randomInt(2 ** 31), randomBytes(32), new SenderChainKey(0, randomBytes(32)));
      this.cached.set(group, key);
    }
    return key;
  }

  private stored(group: string): OwnSenderKey | undefined {
    const { [nameOf(group)]: bytes } = this.keys.get("sender-key", [nameOf(group)]);
    if (bytes === undefined) return undefined;
    const { id, signingSeed, iteration, chainKey } = JSON.parse(Buffer.from(bytes).toString()) as StoredSenderKey; // As `store` wrote it.
    return made(id, Buffer.from(signingSeed, "base64"), new SenderChainKey(iteration, Buffer.from(chainKey, "base64")));
  }

  private store(group: string, { id, signingSeed, chain }: OwnSenderKey): void {
    const stored: StoredSenderKey = {
      id,
      signingSeed: signingSeed.toString("base64"),
      iteration: chain.getIteration(),
      chainKey: Buffer.from(chain.getSeed()).toString("base64"),
    };
    this.keys.set({ "sender-key": { [nameOf(group)]: Buffer.from(JSON.stringify(stored)) } });
  }
}

/** No name that the library gives: in those there are two colons. */
const nameOf = (group: string): string => `own ${group}`;
/** 3, twice: the version of the message, and the latest that its author knows. */
const version = Buffer.of(0x33);

function made(id: number, signingSeed: Buffer, chain: SenderChainKey): OwnSenderKey {
  return { id, signing: signingKeyPair(signingSeed), signingSeed, chain };
}
