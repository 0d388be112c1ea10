/** Writes fields one after the other: numbers in as few bytes as they need, texts and bytes after their length. */
export class ByteWriter {
  private bytes = Buffer.allocUnsafe(512);
  private length = 0;

  byte(value: number): this {
    this.need(1);
    this.bytes[this.length++] = value;
    return this;
  }

  /** Below 2^32; seven bits to a byte, the low ones first. */
  count(value: number): this {
    this.need(5);
    let rest = value;
    for (; rest > 0x7f; rest >>>= 7) this.bytes[this.length++] = (rest & 0x7f) | 0x80;
    this.bytes[this.length++] = rest;
    return this;
  }

  sized(value: Buffer): this {
    this.count(value.length).need(value.length);
    this.length += value.copy(this.bytes, this.length);
    return this;
  }

  text(value: string): this {
    const size = Buffer.byteLength(value);
    this.count(size).need(size);
    this.length += this.bytes.write(value, this.length);
    return this;
  }

  /** Pairs of hexadecimal digits, as half as many bytes. */
  hex(digits: string): this {
    const size = digits.length / 2;
    this.count(size).need(size);
    this.length += this.bytes.write(digits, this.length, "hex");
    return this;
  }

  done(): Buffer {
    return this.bytes.subarray(0, this.length);
  }

  private need(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.length + more));
    this.bytes.copy(grown, 0, 0, this.length);
    this.bytes = grown;
  }
}
