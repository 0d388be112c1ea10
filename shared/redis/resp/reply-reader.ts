/** What one command is answered with: takes the parts of its reply as they come. */
export interface ReplyTaker {
  /** A text of `length` bytes comes now; returns where it is to be written, `length` bytes, or `undefined` when nobody wants it. */
  text(length: number): Uint8Array | undefined;
  /** Anything that is not text: a number, a status, nothing (`undefined`), an error. */
  scalar(value: Error | string | undefined): void;
  /** The reply is whole. */
  end(): void;
}

/**
 * Reads RESP2 replies straight from the socket into the buffers in which they are to stay: `space` says where the next bytes go, `wrote` that they
 * are there. The general way (collect pieces, then join them) moves every byte twice more. Knows flat replies only: one value, or a list of
 * values. Throws on anything else, and on lines that no Redis sends.
 */
export class ReplyReader {
  private readonly scratch = Buffer.allocUnsafeSlow(scratchBytes);
  /** A line that has begun. */
  private line = "";
  /** Bytes of a text that are still to come, and where they go. */
  private left = 0;
  private target: Uint8Array | undefined;
  private filled = 0;
  /** The line break after a text is still to come. */
  private inText = false;
  /** Values of the reply that are still to come; 0 between replies. */
  private values = 0;

  /** `next` is asked whose reply begins. */
  constructor(private readonly next: () => ReplyTaker) {}

  private taker: ReplyTaker | undefined;

  space(): Uint8Array {
    return this.left > 0 && this.target !== undefined ? this.target.subarray(this.filled, this.filled + this.left) : this.scratch;
  }

  /** `length` bytes were written to the beginning of the last `space`. */
  wrote(length: number): void {
    if (this.left > 0 && this.target !== undefined) this.took(length);
    else this.consume(length);
  }

  private consume(length: number): void {
    let at = 0;
    while (at < length) {
      if (this.left > 0) {
        const taken = Math.min(this.left, length - at);
        this.target?.set(this.scratch.subarray(at, at + taken), this.filled);
        this.took(taken);
        at += taken;
        continue;
      }
      const found = this.scratch.indexOf(lineFeed, at);
      const end = found < 0 || found >= length ? length : found + 1;
      this.line += this.scratch.toString("latin1", at, end);
      at = end;
      if (this.line.endsWith("\r\n")) {
        const line = this.line.slice(0, -2);
        this.line = "";
        this.takeLine(line);
      } else if (this.line.length > lineMaxLength) {
        throw new Error("redis sent a line without an end");
      }
    }
  }

  private took(length: number): void {
    this.filled += length;
    this.left -= length;
  }

  private takeLine(line: string): void {
    if (this.inText) {
      if (line !== "") throw new Error("redis sent more text than announced");
      this.inText = false;
      this.valueTaken();
      return;
    }
    this.taker ??= this.next();
    const rest = line.slice(1);
    switch (line[0]) {
      case "*":
        if (this.values > 0) throw new Error("redis sent a list in a list");
        this.values = Math.max(0, count(rest));
        if (this.values === 0) this.scalar(undefined);
        return;
      case "$": {
        const length = count(rest);
        if (length < 0) return this.scalar(undefined);
        this.target = this.taker.text(length);
        this.left = length;
        this.filled = 0;
        this.inText = true;
        return;
      }
      case "-":
        return this.scalar(new Error(rest));
      case ":":
      case "+":
        return this.scalar(rest);
      default:
        throw new Error("redis sent a reply that is not known here");
    }
  }

  private scalar(value: Error | string | undefined): void {
    this.taker?.scalar(value);
    this.valueTaken();
  }

  private valueTaken(): void {
    this.values = Math.max(0, this.values - 1);
    if (this.values > 0) return;
    const { taker } = this;
    this.taker = undefined;
    this.target = undefined;
    taker?.end();
  }
}

/** More would only be copied: what is long is read to where it stays. */
const scratchBytes = 512;
const lineMaxLength = 512;
const lineFeed = 10;

function count(text: string): number {
  const value = Number(text);
  if (text === "" || !Number.isSafeInteger(value)) throw new Error("redis sent a length that is no number");
  return value;
}
