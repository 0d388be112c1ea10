/** Reads what a `ByteWriter` wrote. Throws where the bytes end too early. */
export class ByteReader {
  private at = 0;

  constructor(private readonly bytes: Buffer) {}

  get atEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  byte(): number {
    const value = this.bytes[this.at];
    if (value === undefined) throw new RangeError("cut off");
    this.at += 1;
    return value;
  }

  count(): number {
    let value = 0;
    for (let shift = 0; shift <= 28; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte <= 0x7f && value < 2 ** 32) return value;
    }
    throw new RangeError("no count");
  }

  /** A view of the bytes that were given. */
  sized(): Buffer {
    const [from, to] = this.next();
    return this.bytes.subarray(from, to);
  }

  text(): string {
    const [from, to] = this.next();
    return this.bytes.toString("utf8", from, to);
  }

  hex(): string {
    const [from, to] = this.next();
    return this.bytes.toString("hex", from, to);
  }

  private next(): [from: number, to: number] {
    const size = this.count();
    const from = this.at;
    if (from + size > this.bytes.length) throw new RangeError("cut off");
    this.at = from + size;
    return [from, this.at];
  }
}
