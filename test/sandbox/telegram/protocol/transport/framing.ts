/**
 * TCP packet framings. Full: length (4, of everything), number (4), payload, crc32 (4). Abridged: length in words (1, or 0x7f and 3),
 * payload. Intermediate: length (4), payload. Padded intermediate: the same with 0 to 15 random bytes.
 */
import { randomBytes, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import { ProtocolViolation } from "../violation.js";
import type { ByteQueue } from "./byte-queue.js";

/** The largest packet of a client. Clients keep their containers below 1 MiB. */
export const maxPacketBytes = 2 * 1_024 * 1_024;

export interface Framing {
  /** Returns the next whole packet, or undefined until more bytes arrive. */
  read(queue: ByteQueue): Buffer | undefined;
  /** Returns the buffers of one packet in write order. */
  frame(payload: Buffer): Buffer[];
  /** True if packets may end in random bytes. */
  readonly padded: boolean;
}

export class FullFraming implements Framing {
  readonly padded = false;
  private received = 0;
  private sent = 0;

  read(queue: ByteQueue): Buffer | undefined {
    if (queue.length < 4) return undefined;
    const length = checkedLength(queue.peek(4).readUInt32LE(0), 12);
    if (queue.length < length) return undefined;
    const packet = queue.take(length);
    if (crc32(packet.subarray(0, length - 4)) !== packet.readUInt32LE(length - 4)) throw new ProtocolViolation("wrong checksum");
    if (packet.readUInt32LE(4) !== this.received) throw new ProtocolViolation("wrong packet number");
    this.received += 1;
    return packet.subarray(8, length - 4);
  }

  frame(payload: Buffer): Buffer[] {
    const head = Buffer.allocUnsafe(8);
    head.writeUInt32LE(payload.length + 12, 0);
    head.writeUInt32LE(this.sent, 4);
    this.sent += 1;
    const tail = Buffer.allocUnsafe(4);
    tail.writeUInt32LE(crc32(payload, crc32(head)), 0);
    return [head, payload, tail];
  }
}

export class AbridgedFraming implements Framing {
  readonly padded = false;

  read(queue: ByteQueue): Buffer | undefined {
    if (queue.length < 1) return undefined;
    let words = queue.peek(1).readUInt8(0);
    let headBytes = 1;
    if (words === 0x7f) {
      if (queue.length < 4) return undefined;
      words = queue.peek(4).readUInt32LE(0) >>> 8;
      headBytes = 4;
    }
    // The top bit requests a quick acknowledgement, which no known client uses.
    if (headBytes === 1 && words > 0x7f) throw new ProtocolViolation("quick acknowledgements are not offered");
    const length = checkedLength(words * 4, 4);
    if (queue.length < headBytes + length) return undefined;
    queue.take(headBytes);
    return queue.take(length);
  }

  frame(payload: Buffer): Buffer[] {
    const words = payload.length / 4;
    if (words < 0x7f) return [Buffer.from([words]), payload];
    return [Buffer.from([0x7f, words & 0xff, (words >> 8) & 0xff, words >> 16]), payload];
  }
}

export class IntermediateFraming implements Framing {
  constructor(readonly padded: boolean) {}

  read(queue: ByteQueue): Buffer | undefined {
    if (queue.length < 4) return undefined;
    const length = checkedLength(queue.peek(4).readUInt32LE(0), 4, this.padded);
    if (queue.length < 4 + length) return undefined;
    queue.take(4);
    return queue.take(length);
  }

  frame(payload: Buffer): Buffer[] {
    // A packet of four bytes is a transport error, which the client recognises by its length.
    const padding = this.padded && payload.length > 4 ? randomBytes(randomInt(16)) : Buffer.alloc(0);
    const head = Buffer.allocUnsafe(4);
    head.writeUInt32LE(payload.length + padding.length, 0);
    return padding.length > 0 ? [head, payload, padding] : [head, payload];
  }
}

function checkedLength(length: number, least: number, anyRemainder = false): number {
  if (length < least || length > maxPacketBytes) throw new ProtocolViolation(`packet of ${length} bytes`);
  if (!anyRemainder && length % 4 !== 0) throw new ProtocolViolation(`packet of ${length} bytes, not a multiple of four`);
  return length;
}
