import bigInt, { type BigInteger } from "big-integer";
import type { AuthKey } from "telegram/crypto/AuthKey.js";
import { SecurityError } from "telegram/errors/index.js";
import { BinaryReader } from "telegram/extensions/index.js";
import network, { MTProtoState } from "telegram/network/MTProtoState.js";
import { TLMessage } from "telegram/tl/core/index.js";
import { openMessage } from "./message-decryption.js";

/** Called with the seconds that decrypting a large message took. */
let onDecrypted: (seconds: number) => void = () => undefined;

/**
 * Makes GramJS's connections use `LargeMessageState`, through its CommonJS module object. Runs once per process; further calls only set
 * `onDecrypted`.
 */
export function installMessageState(listener?: (seconds: number) => void): void {
  onDecrypted = listener ?? onDecrypted;
  Object.assign(network, { MTProtoState: LargeMessageState });
}

/**
 * GramJS's message layer with less work for large messages, which are parts of files: no copy for the checks, ids in a set, and one 64-bit
 * number per message id. Decrypting on threads costs more than it saves on two cores (bench/findings.md).
 */
export class LargeMessageState extends MTProtoState {
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
    if (packet.length < largeBytes || key === undefined || (packet.length - headBytes) % 16 !== 0)
      return await super.decryptMessageData(packet);
    if (!this.isKey(packet.readBigInt64LE(0))) throw new SecurityError("Server replied with an invalid auth key");
    const messageKey = packet.subarray(8, headBytes);
    const secrets = await this._calcKey(key, messageKey, false);
    const startedAt = performance.now();
    const plainText = openMessage({ cipherText: packet.subarray(headBytes), ...secrets, salt: key.subarray(96, 128), messageKey });
    onDecrypted((performance.now() - startedAt) / 1000);
    if (plainText === undefined) throw new SecurityError("Received msg_key doesn't match with expected one");
    return this.read(plainText);
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

  private isKey(id: bigint): boolean {
    const keyId = this.connectionKey?.keyId;
    return keyId !== undefined && BigInt.asIntN(64, BigInt(keyId.toString())) === id;
  }

  /** salt(8) session(8) id(8) sequence(4) length(4) object */
  private read(plainText: Buffer): TLMessage {
    const reader = new BinaryReader(plainText);
    reader.seek(16);
    const messageId = reader.readLong();
    const name = messageId.toString();
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
/** Smaller messages gain nothing from the separate path. */
const largeBytes = 128 * 1024;
const seenMax = 500;
