/** Service messages that GramJS's classes cannot serialise: bare vectors, binary strings and results. */
import type { Api } from "telegram";
import bigInt from "big-integer";
import { serializeBytes } from "telegram/tl/generationHelpers.js";
import type { FutureSalt } from "./future-salt.js";

const rpcResultId = 0xf35c6d01;
const futureSaltsId = 0xae500895;
const messagesStateInfoId = 0x04deb57d;

/** Returns the header of the result for the request with that message id. */
export function rpcResultHead(messageId: bigint): Buffer {
  const head = Buffer.allocUnsafe(12);
  head.writeUInt32LE(rpcResultId, 0);
  head.writeBigInt64LE(messageId, 4);
  return head;
}

/** Returns a `future_salts` message, whose vector and items are bare. */
export function futureSaltsBody(messageId: bigint, now: number, salts: readonly FutureSalt[]): Buffer {
  const body = Buffer.allocUnsafe(20 + 16 * salts.length);
  body.writeUInt32LE(futureSaltsId, 0);
  body.writeBigInt64LE(messageId, 4);
  body.writeInt32LE(now, 12);
  body.writeInt32LE(salts.length, 16);
  for (const [index, { salt, validSince, validUntil }] of salts.entries()) {
    body.writeInt32LE(validSince, 20 + 16 * index);
    body.writeInt32LE(validUntil, 24 + 16 * index);
    body.writeBigInt64LE(salt, 28 + 16 * index);
  }
  return body;
}

/** Returns a `msgs_state_info` message: one byte per requested message. */
export function messagesStateBody(messageId: bigint, states: Buffer): Buffer {
  const head = Buffer.allocUnsafe(12);
  head.writeUInt32LE(messagesStateInfoId, 0);
  head.writeBigInt64LE(messageId, 4);
  return Buffer.concat([head, serializeBytes(states)]);
}

export function toLong(value: bigint): Api.long {
  return bigInt(value);
}

export function fromLong(value: Api.long): bigint {
  return BigInt(value.toString());
}
