import { movedAway, type BulkRead } from "../../../shared/media/chunk-cache.js";
import type { ReplyTaker } from "../../../shared/redis/resp/reply-reader.js";

/** A sent command that waits for one or several replies. */
export interface Pending {
  /** Returns the taker of the next reply. It calls `onEnd` after the last one. */
  replyTaker(onEnd: () => void, onBroken: (error: Error) => void): ReplyTaker;
  fail(error: Error): void;
}

/** HMGET and EXPIRE of one key. */
export class HashRead implements Pending {
  private bytes: Buffer | undefined;
  private filled = 0;
  private whole = true;
  private error: Error | undefined;
  private replies = 0;

  constructor(
    readonly command: string,
    private readonly wanted: Required<Pick<BulkRead, "length" | "allocate">>,
    private readonly resolve: (bytes: Buffer | typeof movedAway | undefined) => void,
    readonly fail: (error: Error) => void,
  ) {}

  replyTaker(onEnd: () => void, onBroken: (error: Error) => void): ReplyTaker {
    const isFields = this.replies++ === 0;
    return {
      text: (length) => this.place(length),
      scalar: (value) => {
        if (value instanceof Error) this.error = value;
        if (isFields) this.whole = false;
      },
      end: () => {
        if (isFields) return;
        onEnd();
        this.settle();
        // After a failover the old master rejects writes. Reconnect to find the new one.
        if (this.error?.message.startsWith("READONLY") === true) onBroken(this.error);
      },
    };
  }

  private settle(): void {
    if (this.error === undefined) this.resolve(this.whole && this.filled === this.wanted.length ? this.bytes : undefined);
    else if (/^(MOVED|ASK) /.test(this.error.message)) this.resolve(movedAway);
    else this.fail(this.error);
  }

  private place(length: number): Uint8Array | undefined {
    const from = this.filled;
    this.filled += length;
    const { length: whole, allocate } = this.wanted;
    if (this.filled > whole) return undefined;
    this.bytes ??= allocate(whole);
    return this.bytes.subarray(from, this.filled);
  }
}

/** Reply to one of the commands that set up a connection. */
export class SetupReply implements Pending {
  constructor(private readonly onEnd: (error: Error | undefined) => void) {}

  replyTaker(onEnd: () => void): ReplyTaker {
    let error: Error | undefined;
    return {
      text: () => undefined,
      scalar: (value) => {
        if (value instanceof Error) error = value;
      },
      end: () => {
        onEnd();
        this.onEnd(error);
      },
    };
  }

  fail(): void {
    // The connection handles its own loss.
  }
}
