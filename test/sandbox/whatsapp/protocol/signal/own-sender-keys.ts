import { createCipheriv, randomBytes, randomInt } from "node:crypto";
import { generateSignalPubKey, proto } from "@whiskeysockets/baileys";
import { SenderChainKey } from "@whiskeysockets/baileys/lib/Signal/Group/sender-chain-key.js";
import { type SigningKeyPair, signingKeyPair } from "../crypto/signing-key-pair.js";
import type { MemoryKeys } from "./memory-keys.js";

/** A group message, and the key that lets a device read it and later ones. */
export interface SealedForGroup {
  readonly senderKeyDistributionMessage: Uint8Array;
  readonly ciphertext: Uint8Array;
}

interface OwnSenderKey {
  readonly id: number;
  readonly signing: SigningKeyPair;
  readonly signingSeed: Buffer;
  /** Chain key of the next message. */
  chain: SenderChainKey;
}

interface StoredSenderKey {
  readonly id: number;
  readonly signingSeed: string;
  readonly iteration: number;
  readonly chainKey: string;
}

/**
 * A phone's own group keys; each message uses the next one. The library skips every second key, stores up to two thousand as text on each
 * message, and signs in JavaScript: about 20 ms per message.
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
    const { id, signingSeed, iteration, chainKey } = JSON.parse(Buffer.from(bytes).toString()) as StoredSenderKey; // `store` wrote this form.
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

/** No collision with the library's names, which contain two colons. */
const nameOf = (group: string): string => `own ${group}`;
/** 3, twice: the message's version, and the latest version that its author supports. */
const version = Buffer.of(0x33);

function made(id: number, signingSeed: Buffer, chain: SenderChainKey): OwnSenderKey {
  return { id, signing: signingKeyPair(signingSeed), signingSeed, chain };
}
