import { TAGS, TOKEN_MAP } from "@whiskeysockets/baileys/lib/WABinary/constants.js";
import { jidDecode } from "@whiskeysockets/baileys/lib/WABinary/jid-utils.js";

/** The shared buffer in which frames start. A longer frame gets memory of its own, which doubles as it grows. */
const sharedBuffer = Buffer.allocUnsafeSlow(64 * 1024);

/** Writes one frame of WhatsApp's binary XML. Write and end it synchronously, because all frames share one buffer. */
export class FrameWriter {
  private at = 0;
  private memory = sharedBuffer;

  byte(value: number): void {
    this.room(1);
    this.memory[this.at++] = value;
  }

  /** Starts a list of this length. */
  list(length: number): void {
    if (length > 0xffff) throw new Error(`a list of ${length} is too long for a frame`);
    if (length === 0) return this.byte(TAGS.LIST_EMPTY);
    if (length < 0x100) {
      this.byte(TAGS.LIST_8);
      return this.byte(length);
    }
    this.byte(TAGS.LIST_16);
    this.byte(length >> 8);
    this.byte(length);
  }

  bytes(value: Uint8Array): void {
    this.length(value.length);
    this.room(value.length);
    this.memory.set(value, this.at);
    this.at += value.length;
  }

  /**
   * Writes a string in the first form that fits: a token of the shared dictionary, packed digits or hexadecimal digits, a JID, or plain
   * text.
   */
  string(value: string): void {
    if (value === "") return this.raw(value);
    const token = tokens.get(value);
    if (token !== undefined) {
      if (token >= oneByte) this.byte(token >> 8);
      return this.byte(token);
    }
    if (value.length <= TAGS.PACKED_MAX) {
      const kind = packing(value);
      if (kind !== undefined) return this.packed(value, kind);
    }
    const jid = jidDecode(value);
    if (jid === undefined) this.raw(value);
    else this.jid(jid);
  }

  /** Returns a copy, because the next frame reuses the buffer. */
  end(): Buffer {
    return Buffer.from(this.memory.subarray(0, this.at));
  }

  private jid({ domainType, device, user, server }: NonNullable<ReturnType<typeof jidDecode>>): void {
    if (device !== undefined) {
      this.byte(TAGS.AD_JID);
      this.byte(domainType ?? 0);
      this.byte(device);
      return this.string(user);
    }
    this.byte(TAGS.JID_PAIR);
    if (user === "") this.byte(TAGS.LIST_EMPTY);
    else this.string(user);
    this.string(server);
  }

  private packed(value: string, kind: number): void {
    const odd = value.length % 2;
    const pairs = value.length - odd;
    this.byte(kind);
    this.byte(((value.length + odd) / 2) | (odd === 1 ? 0x80 : 0));
    for (let i = 0; i < pairs; i += 2) this.byte((halfByte(value.charCodeAt(i)) << 4) | halfByte(value.charCodeAt(i + 1)));
    if (odd === 1) this.byte((halfByte(value.charCodeAt(pairs)) << 4) | filler);
  }

  private raw(value: string): void {
    const length = Buffer.byteLength(value);
    this.length(length);
    this.room(length);
    this.at += this.memory.write(value, this.at);
  }

  private length(length: number): void {
    if (length < 0x100) this.byte(TAGS.BINARY_8);
    else if (length < 1 << 20) {
      this.byte(TAGS.BINARY_20);
      this.byte(length >> 16);
      this.byte(length >> 8);
    } else {
      this.byte(TAGS.BINARY_32);
      this.byte(length >>> 24);
      this.byte(length >> 16);
      this.byte(length >> 8);
    }
    this.byte(length);
  }

  private room(more: number): void {
    const needed = this.at + more;
    if (needed <= this.memory.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.memory.length * 2));
    larger.set(this.memory.subarray(0, this.at));
    this.memory = larger;
  }
}

/** A token of one byte is its own number. A token of two bytes has the dictionary's tag in its high byte. */
const oneByte = 0x100;
const tokens = new Map(
  Object.entries(TOKEN_MAP)
    .filter(([token]) => token !== "")
    .map(([token, { dict, index }]) => [token, dict === undefined ? index : ((TAGS.DICTIONARY_0 + dict) << 8) | index]),
);

/** Fills the second half of the last byte when a text has an odd length. */
const filler = 15;
const [zero, nine, dash, dot, capitalA, capitalF] = [0x30, 0x39, 0x2d, 0x2e, 0x41, 0x46];

/** Returns the tag of the packing whose half bytes can hold the text, if there is one. */
function packing(value: string): number | undefined {
  let [numeric, hexadecimal] = [true, true];
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    if (code >= zero && code <= nine) continue;
    numeric &&= code === dash || code === dot;
    hexadecimal &&= code >= capitalA && code <= capitalF;
    if (!numeric && !hexadecimal) return undefined;
  }
  return numeric ? TAGS.NIBBLE_8 : TAGS.HEX_8;
}

/** Encodes a character that `packing` accepted. */
function halfByte(code: number): number {
  if (code <= nine && code >= zero) return code - zero;
  return code >= capitalA ? code - capitalA + 10 : code - dash + 10;
}
