import type { HttpResponse as EngineResponse } from "uWebSockets.js";
import { Pace } from "./pace.js";
import { writeHead, type Asker, type HttpAnswer } from "./response.js";
import type { SlowReaders, WaitingReader } from "./slow-readers.js";

/** What became of bytes: the socket took them; it did, and they were the last of the answer; or the client is too slow for them. */
export type Written = "taken" | "sent" | "slow";

/**
 * Puts the bytes of one answer into its socket, the head first: offered at once and, as far as the socket does not take them, again whenever it has
 * room. Nothing is copied and, for a client that keeps up, nothing waits.
 */
export class SocketWriter implements WaitingReader {
  /** Bytes of the body that the socket took, as far as it was seen. */
  taken = 0;
  private headWritten = false;
  private bytes: Uint8Array = none;
  /** Of the first of `bytes` in the body. */
  private start = 0;
  /** Is told when the wait is over; `undefined` while nothing waits. */
  private onEnd: ((end: Written) => void) | undefined;
  /** Of all waits so far; made at the first. */
  private pace: Pace | undefined;

  /** `length` of the whole body. */
  constructor(
    private readonly response: EngineResponse,
    private readonly answer: HttpAnswer,
    private readonly asker: Asker,
    private readonly length: number,
    private readonly readers: SlowReaders,
  ) {}

  /**
   * The body's next bytes, not none. Answers at once when the socket takes them all; else `undefined`, and `onEnd` is called once, unless `stop` is. One write at a
   * time, and none inside the engine's own write callback, in which the socket is corked and takes nothing.
   */
  write(bytes: Uint8Array, onEnd: (end: Written) => void): Written | undefined {
    this.bytes = bytes;
    this.start = this.headWritten ? this.response.getWriteOffset() : 0;
    let end: Written | undefined;
    this.response.cork(() => {
      if (!this.headWritten) writeHead(this.response, this.answer, this.asker);
      this.headWritten = true;
      end = this.offer(this.start);
    });
    if (end === undefined) this.wait(onEnd);
    return end;
  }

  /** The client is gone, or nobody waits for the bytes any more. */
  stop(): void {
    this.onEnd = undefined;
    this.bytes = none;
    this.readers.delete(this);
  }

  /** There may be room of which the engine was not told (`Pace`). */
  check(): void {
    const offset = this.response.getWriteOffset();
    if (this.isTooSlow(offset)) return;
    let end: Written | undefined;
    this.response.cork(() => {
      end = this.offer(offset);
    });
    if (end !== undefined) this.end(end);
  }

  private wait(onEnd: (end: Written) => void): void {
    this.onEnd = onEnd;
    // Once: the engine must not lose the handler that it is calling.
    if (this.pace === undefined) this.response.onWritable((offset) => this.onWritable(offset));
    this.pace ??= new Pace(this.readers.limit);
    this.pace.begin();
    this.readers.add(this);
  }

  /** The engine's socket has room again. True means that nothing failed, also when there was nothing to write. */
  private onWritable(offset: number): boolean {
    if (this.onEnd === undefined || this.isTooSlow(offset)) return true;
    const end = this.offer(offset);
    if (end !== undefined) this.end(end);
    return end !== undefined;
  }

  private isTooSlow(offset: number): boolean {
    if (this.pace?.tooSlow(offset) !== true) return false;
    this.taken = offset;
    this.end("slow");
    return true;
  }

  /** Offers the rest from an offset of the body; `undefined` when the socket did not take all of it. */
  private offer(offset: number): Written | undefined {
    const { bytes, start } = this;
    const [taken, finished] = this.response.tryEnd(offset === start ? bytes : bytes.subarray(offset - start), this.length);
    this.taken = taken || finished ? start + bytes.length : offset;
    if (finished) return "sent";
    return taken ? "taken" : undefined;
  }

  private end(end: Written): void {
    const tell = this.onEnd;
    this.stop();
    tell?.(end);
  }
}

const none = new Uint8Array();
