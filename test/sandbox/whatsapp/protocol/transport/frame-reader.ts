/**
 * Splits a client's byte stream into frames. The stream is an optional `E D 00 01` with a 3-byte length and routing bytes, then `W A 06
 * 03`, then frames with a 3-byte big-endian length.
 */
import { NOISE_WA_HEADER } from "@whiskeysockets/baileys";
import { ProtocolViolation } from "../violation.js";

/** Longest frame before the login. A hello or a client payload is far shorter. */
const maxHandshakeFrameBytes = 16 * 1_024;
const maxRoutingBytes = 4_096;
const routingIntro = Buffer.from([0x45, 0x44, 0x00, 0x01]);

export class FrameReader {
  /** Routing info of an earlier connection, as the client returned it. */
  routing: Buffer | undefined;
  /** True after the handshake: frames may then have the full 16 MiB. */
  established = false;
  private buffered: Buffer = Buffer.alloc(0);
  private begun = false;

  /** Yields the complete frames so far. Throws a ProtocolViolation at the first invalid byte. */
  *read(bytes: Buffer): Generator<Buffer> {
    this.buffered = this.buffered.length === 0 ? bytes : Buffer.concat([this.buffered, bytes]);
    if (!this.begun) this.intro();
    while (this.begun && this.buffered.length >= 3) {
      const length = this.buffered.readUIntBE(0, 3);
      if (length === 0) throw new ProtocolViolation("empty frame");
      if (!this.established && length > maxHandshakeFrameBytes) throw new ProtocolViolation("frame too long for a handshake");
      if (this.buffered.length < 3 + length) return;
      const frame = this.buffered.subarray(3, 3 + length);
      this.buffered = this.buffered.subarray(3 + length);
      yield frame;
    }
  }

  private intro(): void {
    if (startsLike(this.buffered, routingIntro)) {
      if (this.buffered.length < 7) return;
      const length = this.buffered.readUIntBE(4, 3);
      if (length > maxRoutingBytes) throw new ProtocolViolation("routing info too long");
      if (this.buffered.length < 7 + length) return;
      this.routing = this.buffered.subarray(7, 7 + length);
      this.buffered = this.buffered.subarray(7 + length);
    }
    if (!startsLike(this.buffered, NOISE_WA_HEADER)) throw new ProtocolViolation("wrong header");
    if (this.buffered.length < NOISE_WA_HEADER.length) return;
    this.buffered = this.buffered.subarray(NOISE_WA_HEADER.length);
    this.begun = true;
  }
}

/** Returns whether all bytes received so far match. */
function startsLike(bytes: Buffer, expected: Buffer): boolean {
  const length = Math.min(bytes.length, expected.length);
  return bytes.subarray(0, length).equals(expected.subarray(0, length)) && (length > 0 || bytes.length === 0);
}
