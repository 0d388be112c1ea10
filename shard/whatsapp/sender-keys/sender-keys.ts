import { proto } from "@whiskeysockets/baileys";
import { SerialQueue } from "../../../shared/flow/serial-queue.js";
import { RecentCache } from "../../flow/recent-cache.js";
import { ForgedMessage } from "../network/forgery.js";
import { xeddsaSign, xeddsaVerify } from "../network/xeddsa.js";
import { advanced, decrypt, encrypt, messageSeed, nextOf } from "./chain.js";
import { fromStored, newSenderKey, takeSeed, toStored, withCurve, type SenderKey } from "./sender-key.js";

/** Stores sender keys by name. A write is durable when its promise resolves. */
export interface SenderKeyStore {
  read(name: string): Promise<Uint8Array | undefined>;
  write(name: string, stored: Buffer): Promise<void>;
  /** Writes a new key of the account for this group, and clears the group's key holders in the same write. */
  renew(name: string, group: string, stored: Buffer): Promise<void>;
}

/** The keys of one author for one group, newest last. */
interface Held {
  keys: SenderKey[];
  /** The account's own messages before this position need no write: after a crash, the next process starts at this position. */
  reservedUntil: number;
  /** How many messages these keys are ahead of the stored ones. */
  unsaved: number;
  readonly writing: SerialQueue;
  writes: number;
}

interface OwnKey extends SenderKey {
  readonly privateKey: Buffer;
}

/**
 * One account's keys for groups and statuses, stored less often than they change. An own chain is stored ahead of its use, so no key is
 * used twice after a crash. An author's stored chain may lag: later keys derive from it.
 */
export class SenderKeys {
  /** Evicted keys are read again from the store. */
  private readonly recent = new RecentCache<Held>({ maxSize: recentMaxBytes, sizeCalculation: bytesOf });
  private readonly loading = new Map<string, Promise<Held>>();
  /** Keys that are being written, even if evicted: only one state of each key may exist. */
  private readonly busy = new Map<string, Held>();

  constructor(private readonly store: SenderKeyStore) {}

  /** Encrypts the account's next message. `distribution` is for members who have no key yet. */
  encrypt(name: string, text: Uint8Array): Promise<{ readonly ciphertext: Buffer; readonly distribution: Buffer }> {
    return this.withReserved(name, (key) => {
      const { chain } = key;
      const distribution = distributionOf(key);
      key.chain = nextOf(chain);
      const message = { id: key.id, iteration: chain.iteration, ciphertext: encrypt(messageSeed(chain), text) };
      const signed = Buffer.concat([version, proto.SenderKeyMessage.encode(message).finish()]);
      return { ciphertext: Buffer.concat([signed, xeddsaSign(key.privateKey, signed)]), distribution };
    });
  }

  /** Returns the distribution that a member needs to read the account's next messages. */
  distribution(name: string): Promise<Buffer> {
    return this.withReserved(name, distributionOf);
  }

  /**
   * Makes a new key for the account's next message, which no device has yet. If this rejects, the stored key still matches the stored
   * holders.
   */
  async renew(name: string, group: string): Promise<void> {
    const held = await this.held(name);
    try {
      await this.alone(name, held, async () => {
        held.keys = [newSenderKey()];
        held.reservedUntil = 0;
        await this.reserve(held, (stored) => this.store.renew(name, group, stored));
      });
    } catch (error) {
      // Either key may be stored now.
      this.recent.delete(name);
      throw error;
    }
  }

  async has(name: string): Promise<boolean> {
    return (await this.held(name)).keys.length > 0;
  }

  /** Stores a key that an author has sent. Durable when it resolves. */
  async learn(name: string, distribution: Uint8Array): Promise<void> {
    const { id, iteration, chainKey, signingKey } = proto.SenderKeyDistributionMessage.decode(distribution.subarray(1));
    if (typeof id !== "number" || typeof iteration !== "number" || chainKey?.length !== 32) throw new Error("a sender key is not complete");
    const publicKey = withCurve(signingKey ?? Buffer.alloc(0));
    if (publicKey.length !== 33) throw new Error("a sender key has no key for signatures");
    const held = await this.held(name);
    const existing = held.keys.find((key) => key.id === id);
    // The author sent its current key again; the known key also covers later messages. Only a key that was reset starts earlier.
    if (existing?.publicKey.equals(publicKey) === true && existing.chain.iteration <= iteration) return;
    const key: SenderKey = { id, chain: { iteration, seed: Buffer.from(chainKey) }, publicKey, privateKey: undefined, left: new Map() };
    held.keys = [...held.keys.filter((other) => other !== existing), key].slice(-keysMost);
    // If this write fails, the next message retries it.
    held.unsaved = Math.max(held.unsaved, unsavedUsual);
    await this.save(name, held);
  }

  /**
   * Reads an author's message. Throws `ForgedMessage` for a wrong signature, and an error when its key is missing or used up. `keep` stores
   * what the message says: if it rejects, the message can be read again, and until then no stored key counts it as read.
   */
  async decrypt(name: string, bytes: Uint8Array, keep?: (text: Buffer) => Promise<void>): Promise<Buffer> {
    const end = bytes.length - signatureBytes;
    const { id, iteration, ciphertext } = proto.SenderKeyMessage.decode(bytes.subarray(1, Math.max(end, 1)));
    if (typeof id !== "number" || typeof iteration !== "number" || !ciphertext) throw new Error("a group's message is not complete");
    const held = await this.held(name);
    const key = held.keys.find((one) => one.id === id);
    if (key === undefined) throw new Error("there is no sender key for a group's message");
    if (!xeddsaVerify(key.publicKey.subarray(1), bytes.subarray(0, end), bytes.subarray(end))) throw new ForgedMessage();
    const before = key.chain.iteration;
    const seed = takeSeed(key, iteration);
    held.unsaved += Math.max(1, key.chain.iteration - before);
    const text = decrypt(seed, ciphertext);
    try {
      await keep?.(text);
    } catch (error) {
      key.left.set(iteration, seed);
      throw error;
    }
    if (held.unsaved >= unsavedUsual) await this.saveInTime(name, held);
    return text;
  }

  /** Drops the keys from memory after a login ended. */
  forget(): void {
    this.recent.clear();
  }

  /** Calls `use` synchronously with the account's own key, which has at least one reserved message. */
  private async withReserved<T>(name: string, use: (key: OwnKey) => T): Promise<T> {
    const held = await this.held(name);
    for (;;) {
      const key = usable(held);
      if (key !== undefined) return use(key);
      await this.alone(name, held, () => this.reserve(held, (stored) => this.store.write(name, stored)));
    }
  }

  private async reserve(held: Held, write: (stored: Buffer) => Promise<void>): Promise<void> {
    if (usable(held) !== undefined) return;
    const newest = held.keys.at(-1);
    const key = isOwn(newest) ? newest : newSenderKey();
    const ahead = advanced(key.chain, reservedAtOnce);
    await write(toStored([{ ...key, chain: ahead, left: new Map() }]));
    held.keys = [key];
    held.reservedUntil = ahead.iteration;
  }

  private async saveInTime(name: string, held: Held): Promise<void> {
    try {
      await this.save(name, held);
    } catch (error) {
      // The next message retries. The stored position is good enough until then.
      if (held.unsaved >= unsavedMost) throw error;
    }
  }

  private async save(name: string, held: Held): Promise<void> {
    await this.alone(name, held, async () => {
      const { unsaved } = held;
      if (unsaved === 0) return;
      await this.store.write(name, toStored(held.keys));
      held.unsaved -= unsaved;
    });
  }

  /** Writes of one key run one at a time. */
  private async alone(name: string, held: Held, work: () => Promise<void>): Promise<void> {
    this.busy.set(name, held);
    held.writes += 1;
    try {
      await held.writing.run(work);
    } finally {
      held.writes -= 1;
      if (held.writes === 0) this.busy.delete(name);
      // Updates the cached size.
      this.recent.set(name, held);
    }
  }

  private async held(name: string): Promise<Held> {
    const cached = this.recent.get(name) ?? this.busy.get(name);
    if (cached !== undefined) return cached;
    const loading = this.loading.get(name) ?? this.load(name);
    this.loading.set(name, loading);
    try {
      return await loading;
    } finally {
      this.loading.delete(name);
    }
  }

  private async load(name: string): Promise<Held> {
    const stored = await this.store.read(name);
    const keys = stored === undefined ? [] : fromStored(stored);
    const held: Held = { keys, reservedUntil: 0, unsaved: 0, writing: new SerialQueue(), writes: 0 };
    this.recent.set(name, held);
    return held;
  }
}

function distributionOf({ id, chain, publicKey }: SenderKey): Buffer {
  const message = { id, iteration: chain.iteration, chainKey: chain.seed, signingKey: publicKey };
  return Buffer.concat([version, proto.SenderKeyDistributionMessage.encode(message).finish()]);
}

function usable({ keys, reservedUntil }: Held): OwnKey | undefined {
  const key = keys.at(-1);
  return isOwn(key) && key.chain.iteration < reservedUntil ? key : undefined;
}

function isOwn(key: SenderKey | undefined): key is OwnKey {
  return key?.privateKey !== undefined;
}

/** Estimated bytes in memory. */
function bytesOf({ keys }: Held): number {
  return keys.reduce((sum, { left }) => sum + 500 + 150 * left.size, 500);
}

/** Both halves are 3: the version in use and the newest known version. */
const version = Buffer.of(0x33);
const signatureBytes = 64;
/** The same limit as in the library. An author who links a device again has another key. */
const keysMost = 5;
/** About 500 authors. */
const recentMaxBytes = 512 * 1024;
/** Number of own messages that one write reserves. Readers skip as many after a crash; they accept up to 2,000 in a row. */
const reservedAtOnce = 50;
/** How far the stored position of an author's chain may lag: usually, and while the store fails. From 2,000 on it would be useless. */
const unsavedUsual = 64;
const unsavedMost = 1_000;
