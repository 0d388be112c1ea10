import { hash } from "node:crypto";
import bigInt, { type BigInteger } from "big-integer";
import helpers from "telegram/Helpers.js";
import type { AuthKey } from "telegram/crypto/AuthKey.js";
import { SecurityError } from "telegram/errors/index.js";
import { BinaryReader } from "telegram/extensions/index.js";
import network, { MTProtoState } from "telegram/network/MTProtoState.js";
import { TLMessage } from "telegram/tl/core/index.js";
import { randomNonce } from "../../../shared/config/random-nonce.js";
import { encryptIge } from "./ige.js";
import { openMessage } from "./message-decryption.js";

/** Called with the seconds that decrypting a large message took, which is a part of a file. */
let onDecrypted: (seconds: number) => void = () => undefined;

/**
 * Makes GramJS's connections use `FastMessageState`, through its CommonJS module object. Runs once per process; further calls only set
 * `onDecrypted`.
 */
export function installMessageState(listener?: (seconds: number) => void): void {
  onDecrypted = listener ?? onDecrypted;
  Object.assign(network, { MTProtoState: FastMessageState });
}

/**
 * GramJS's message layer with less work: no copy of parts of files for the checks, no promise for each digest, ids in a set, and one 64-bit
 * number per message id. Decrypting on threads costs more than it saves on two cores (bench/findings.md).
 */
export class FastMessageState extends MTProtoState {
  /** The key whose id `knownId` is: a connection without a key makes one. */
  private knownKey: Buffer | undefined;
  private knownId: Buffer = Buffer.alloc(0);

  constructor(
    private readonly connectionKey?: AuthKey,
    logger?: unknown,
    private readonly checksDuplicates = true,
  ) {
    super(connectionKey, logger, checksDuplicates);
  }

  /** Also called by the constructor of GramJS's class. */
  override reset(): void {
    super.reset();
    Reflect.set(this, "msgIds", new RecentIds());
  }

  override async decryptMessageData(packet: Buffer): Promise<TLMessage> {
    const key = this.connectionKey?.getKey();
    const length = packet.length - headBytes;
    // GramJS reports what is wrong with other packets.
    if (key === undefined || length <= 0 || length % 16 !== 0) return await super.decryptMessageData(packet);
    if (!this.idOf(key).equals(packet.subarray(0, 8))) throw new SecurityError("Server replied with an invalid auth key");
    const messageKey = packet.subarray(8, headBytes);
    const startedAt = performance.now();
    const plainText = openMessage({
      cipherText: packet.subarray(headBytes),
      ...messageSecrets(key, messageKey, 8),
      salt: key.subarray(96, 128),
      messageKey,
    });
    if (length >= largeBytes) onDecrypted((performance.now() - startedAt) / 1000);
    if (plainText === undefined) throw new SecurityError("Received msg_key doesn't match with expected one");
    return this.read(plainText);
  }

  override async encryptMessageData(message: Buffer): Promise<Buffer<ArrayBuffer>> {
    const key = this.connectionKey?.getKey();
    // GramJS waits for a key that is still being made.
    if (key === undefined) return (await super.encryptMessageData(message)) as Buffer<ArrayBuffer>;
    const session = Reflect.get(this, "id") as BigInteger; // As `reset` of GramJS leaves it.
    const padding = randomNonce(12 + ((16 - ((message.length + 28) % 16)) % 16));
    const plainText = Buffer.concat([helpers.toSignedLittleBuffer(this.salt), helpers.toSignedLittleBuffer(session), message, padding]);
    const messageKey = hash("sha256", Buffer.concat([key.subarray(88, 120), plainText]), "buffer").subarray(8, 24);
    const secrets = messageSecrets(key, messageKey, 0);
    return Buffer.concat([this.idOf(key), messageKey, encryptIge(secrets.key, secrets.iv, plainText)]);
  }

  /**
   * Seconds in the upper half, nanoseconds and two zero bits in the lower; four more than the last id if the clock has not advanced
   * (core.telegram.org/mtproto/description).
   */
  override _getNewMsgId(): BigInteger {
    const now = Date.now() / 1000 + this.timeOffset;
    const seconds = Math.floor(now);
    const nanoseconds = Math.floor((now - seconds) * 1e9);
    const last = Reflect.get(this, "_lastMsgId") as BigInteger; // As GramJS's own methods leave it.
    let id = bigInt((BigInt(seconds) << 32n) | BigInt(nanoseconds * 4));
    if (last.greaterOrEquals(id)) id = last.add(4);
    Reflect.set(this, "_lastMsgId", id);
    return id;
  }

  /** Returns the id that the platform derives from a key: the last 8 bytes of its SHA-1. */
  private idOf(key: Buffer): Buffer {
    if (this.knownKey !== key) {
      this.knownKey = key;
      this.knownId = hash("sha1", key, "buffer").subarray(-8);
    }
    return this.knownId;
  }

  /** salt(8) session(8) id(8) sequence(4) length(4) object */
  private read(plainText: Buffer): TLMessage {
    const reader = new BinaryReader(plainText);
    reader.seek(16);
    const messageId = reader.readLong();
    const name = plainText.toString("latin1", 16, 24);
    // The set that GramJS uses for other messages too: `reset` has put it there.
    const seen = Reflect.get(this, "msgIds") as RecentIds;
    if (this.checksDuplicates && seen.includes(name)) throw new SecurityError("Duplicate msgIds");
    if (seen.length > seenMax) seen.shift();
    seen.push(name);
    const sequence = reader.readInt();
    reader.readInt();
    return new TLMessage(messageId, sequence, reader.tgReadObject());
  }
}

/** The AES key and vector of one message. `from` is 0 for messages to the platform, and 8 for its own. */
function messageSecrets(key: Buffer, messageKey: Buffer, from: 0 | 8): { readonly key: Buffer; readonly iv: Buffer } {
  const a = hash("sha256", Buffer.concat([messageKey, key.subarray(from, from + 36)]), "buffer");
  const b = hash("sha256", Buffer.concat([key.subarray(from + 40, from + 76), messageKey]), "buffer");
  // Each is one digest with the middle of the other one.
  const middle = Buffer.from(a.subarray(8, 24));
  b.copy(a, 8, 8, 24);
  middle.copy(b, 8);
  return { key: a, iv: b };
}

/** Has the methods of GramJS's list of the last ids, with the same results. */
class RecentIds {
  private readonly ids = new Set<string>();

  get length(): number {
    return this.ids.size;
  }

  includes(id: string): boolean {
    return this.ids.has(id);
  }

  push(id: string): void {
    this.ids.add(id);
  }

  /** Removes the oldest id. */
  shift(): void {
    for (const id of this.ids) {
      this.ids.delete(id);
      return;
    }
  }
}

const headBytes = 24;
/** Only parts of files are as large. */
const largeBytes = 128 * 1024;
const seenMax = 500;
