/**
 * One connection's byte stream. It detects the framing from the first bytes, removes the obfuscation, turns TCP segments into packets, and
 * frames packets to send.
 */
import { createCipheriv, createDecipheriv } from "node:crypto";
import { ProtocolViolation } from "../violation.js";
import { ByteQueue } from "./byte-queue.js";
import { AbridgedFraming, type Framing, FullFraming, IntermediateFraming, maxPacketBytes } from "./framing.js";

const abridgedTag = 0xefefefef;
const intermediateTag = 0xeeeeeeee;
const paddedTag = 0xdddddddd;
const obfuscationBytes = 64;

interface StreamCipher {
  update(bytes: Buffer): Buffer;
}

export class Transport {
  private readonly queue = new ByteQueue();
  private framing: Framing | undefined;
  private decipher: StreamCipher | undefined;
  private cipher: StreamCipher | undefined;

  /** True if packets may end in random bytes. */
  get padded(): boolean {
    return this.framing?.padded ?? false;
  }

  receive(segment: Buffer): void {
    this.queue.push(this.decipher ? this.decipher.update(segment) : segment);
  }

  /** Returns the next whole packet, or undefined until more bytes arrive. */
  next(): Buffer | undefined {
    this.framing ??= this.detect();
    return this.framing?.read(this.queue);
  }

  /** Returns the buffers of one packet. The server cannot send before the client's first bytes. */
  frame(payload: Buffer): Buffer[] {
    const buffers = this.framing?.frame(payload) ?? [];
    const { cipher } = this;
    return cipher ? buffers.map((buffer) => cipher.update(buffer)) : buffers;
  }

  private detect(): Framing | undefined {
    if (this.queue.length < 1) return undefined;
    if (this.queue.peek(1).readUInt8(0) === 0xef) {
      this.queue.take(1);
      return new AbridgedFraming();
    }
    if (this.queue.length < 4) return undefined;
    const tag = this.queue.peek(4).readUInt32LE(0);
    if (tag === intermediateTag || tag === paddedTag) {
      this.queue.take(4);
      return new IntermediateFraming(tag === paddedTag);
    }
    if (this.queue.length < 8) return undefined;
    // Full framing starts with a length and the number 0. An obfuscated stream never has zeros there.
    if (this.queue.peek(8).readUInt32LE(4) === 0 && tag <= maxPacketBytes) return new FullFraming();
    if (this.queue.length < obfuscationBytes) return undefined;
    return this.deobfuscate(this.queue.take(obfuscationBytes));
  }

  private deobfuscate(start: Buffer): Framing {
    const reversed = Buffer.from(start.subarray(8, 56)).reverse();
    const decipher = createDecipheriv("aes-256-ctr", start.subarray(8, 40), start.subarray(40, 56));
    const tag = decipher.update(start).readUInt32LE(56);
    if (tag !== abridgedTag && tag !== intermediateTag && tag !== paddedTag) throw new ProtocolViolation("unknown transport");
    this.decipher = decipher;
    this.cipher = createCipheriv("aes-256-ctr", reversed.subarray(0, 32), reversed.subarray(32, 48));
    if (this.queue.length > 0) this.queue.push(decipher.update(this.queue.take(this.queue.length)));
    return tag === abridgedTag ? new AbridgedFraming() : new IntermediateFraming(tag === paddedTag);
  }
}
