/** Receives the parts of one command's reply as they arrive. */
export interface ReplyTaker {
  /** Called before a text of `length` bytes. Returns the memory for it, or `undefined` to drop the text. */
  text(length: number): Uint8Array | undefined;
  /** Called for a number, a status, a null (`undefined`) or an error. */
  scalar(value: Error | string | undefined): void;
  /** Called when the reply is complete. */
  end(): void;
}

/**
 * Reads RESP2 replies from the socket directly into their final buffers, which saves two copies. Supports flat replies only: one value, or
 * a list of values. Throws on anything else.
 */
export class ReplyReader {
  private readonly scratch = Buffer.allocUnsafeSlow(scratchBytes);
  /** A line that has begun. */
  private line = "";
  /** Remaining bytes of a text, and their destination. */
  private left = 0;
  private target: Uint8Array | undefined;
  private filled = 0;
  /** True until the line break after a text was read. */
  private inText = false;
  /** Remaining values of the reply; 0 between replies. */
  private values = 0;

  /** `next` returns the taker of the next reply. */
  constructor(private readonly next: () => ReplyTaker) {}

  private taker: ReplyTaker | undefined;

  space(): Uint8Array {
    return this.left > 0 && this.target !== undefined ? this.target.subarray(this.filled, this.filled + this.left) : this.scratch;
  }

  /** Consumes `length` bytes at the beginning of the last `space`. */
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

/** Small, because long texts are read directly to their destination. */
const scratchBytes = 512;
const lineMaxLength = 512;
const lineFeed = 10;

function count(text: string): number {
  const value = Number(text);
  if (text === "" || !Number.isSafeInteger(value)) throw new Error("redis sent a length that is no number");
  return value;
}
