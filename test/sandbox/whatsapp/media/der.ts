/** Encodes ASN.1 in DER, as far as a certificate needs it. */
export const der = {
  sequence: (...parts: readonly Buffer[]): Buffer => element(0x30, ...parts),
  set: (...parts: readonly Buffer[]): Buffer => element(0x31, ...parts),
  /** Encodes a non-negative integer. */
  integer: (bytes: Buffer): Buffer => element(0x02, (bytes[0] ?? 0) > 0x7f ? Buffer.concat([Buffer.of(0), bytes]) : bytes),
  boolean: (value: boolean): Buffer => element(0x01, Buffer.of(value ? 0xff : 0)),
  bits: (bytes: Buffer, unused = 0): Buffer => element(0x03, Buffer.of(unused), bytes),
  octets: (bytes: Buffer): Buffer => element(0x04, bytes),
  /** Takes a dotted id such as "2.5.4.3". */
  objectId: (dotted: string): Buffer => element(0x06, objectIdBytes(dotted)),
  text: (text: string): Buffer => element(0x0c, Buffer.from(text)),
  /** Takes a date before 2050. */
  time: (date: Date): Buffer => element(0x17, Buffer.from(`${date.toISOString().replace(/[-:T]/g, "").slice(2, 14)}Z`)),
  /** Encodes a context-specific part; `primitive` for a part without inner structure. */
  tagged: (number: number, content: Buffer, primitive = false): Buffer => element((primitive ? 0x80 : 0xa0) | number, content),
};

function element(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.of(tag), lengthBytes(content.length), content]);
}

function lengthBytes(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length);
  const bytes = Buffer.from(length.toString(16).padStart(length > 0xff ? 4 : 2, "0"), "hex");
  return Buffer.concat([Buffer.of(0x80 | bytes.length), bytes]);
}

function objectIdBytes(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return Buffer.from([first * 40 + second, ...rest.flatMap(base128)]);
}

function base128(value: number): number[] {
  const digits = [value & 0x7f];
  for (let left = value >>> 7; left > 0; left >>>= 7) digits.unshift(0x80 | (left & 0x7f));
  return digits;
}
