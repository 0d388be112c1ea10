/** The encrypted envelope of MTProto 2.0: key id (8), message key (16), AES-IGE over salt, session, message and padding. */
import { randomFillSync } from "node:crypto";
import { ProtocolViolation } from "../violation.js";
import { sha256 } from "./digest.js";
import { decryptIge, encryptIge } from "./ige.js";

const headBytes = 32;

export interface OpenedMessage {
  readonly salt: bigint;
  readonly sessionId: bigint;
  readonly messageId: bigint;
  readonly sequence: number;
  readonly body: Buffer;
}

export interface MessageToSeal {
  readonly salt: bigint;
  readonly sessionId: bigint;
  readonly messageId: bigint;
  readonly sequence: number;
  /** Parts of the body. Their total length is a multiple of four bytes. */
  readonly body: readonly Buffer[];
}

/** Decrypts a client's packet and validates its whole envelope. */
export function openMessage(authKey: Buffer, packet: Buffer, padded: boolean): OpenedMessage {
  const surplus = (packet.length - 24) % 16;
  if (packet.length < 24 + headBytes + 16 || (surplus !== 0 && !padded)) throw new ProtocolViolation("truncated message");
  const messageKey = packet.subarray(8, 24);
  const { key, iv } = messageKeys(authKey, messageKey, 0);
  const data = decryptIge(key, iv, packet.subarray(24, packet.length - surplus));
  if (!sha256(authKey.subarray(88, 120), data).subarray(8, 24).equals(messageKey)) throw new ProtocolViolation("wrong message key");
  const length = data.readUInt32LE(28);
  const padding = data.length - headBytes - length;
  if (length < 4 || length % 4 !== 0 || padding < 12 || padding > 1_024) throw new ProtocolViolation("wrong message length");
  return {
    salt: data.readBigInt64LE(0),
    sessionId: data.readBigInt64LE(8),
    messageId: data.readBigInt64LE(16),
    sequence: data.readInt32LE(24),
    body: data.subarray(headBytes, headBytes + length),
  };
}

/** Encrypts a message of the server. */
export function sealMessage(authKey: Buffer, keyId: Buffer, message: MessageToSeal): Buffer {
  const length = message.body.reduce((sum, part) => sum + part.length, 0);
  const padding = 12 + ((16 - ((headBytes + length + 12) % 16)) % 16);
  const packet = Buffer.allocUnsafe(24 + headBytes + length + padding);
  const data = packet.subarray(24);
  data.writeBigInt64LE(message.salt, 0);
  data.writeBigInt64LE(message.sessionId, 8);
  data.writeBigInt64LE(message.messageId, 16);
  data.writeInt32LE(message.sequence, 24);
  data.writeUInt32LE(length, 28);
  let offset = headBytes;
  for (const part of message.body) offset += part.copy(data, offset);
  randomFillSync(data, offset, padding);
  const messageKey = sha256(authKey.subarray(96, 128), data).subarray(8, 24);
  const { key, iv } = messageKeys(authKey, messageKey, 8);
  encryptIge(key, iv, data, data);
  keyId.copy(packet, 0);
  messageKey.copy(packet, 8);
  return packet;
}

/** `x` is 0 for client messages and 8 for server messages. */
function messageKeys(authKey: Buffer, messageKey: Buffer, x: 0 | 8): { key: Buffer; iv: Buffer } {
  const a = sha256(messageKey, authKey.subarray(x, x + 36));
  const b = sha256(authKey.subarray(40 + x, 76 + x), messageKey);
  return {
    key: Buffer.concat([a.subarray(0, 8), b.subarray(8, 24), a.subarray(24, 32)]),
    iv: Buffer.concat([b.subarray(0, 8), a.subarray(8, 24), b.subarray(24, 32)]),
  };
}
