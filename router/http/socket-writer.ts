import type { HttpResponse as EngineResponse } from "uWebSockets.js";
import { Pace } from "./pace.js";
import { writeHead, type ResponseContext, type HttpResponse } from "./response.js";
import type { SlowReaders, WaitingReader } from "./slow-readers.js";

/** Result of a write: the socket took the bytes, they also completed the response, or the client is too slow. */
export type Written = "taken" | "sent" | "slow";

/** Writes one response into its socket, head first, and offers the rest again whenever there is room. Copies nothing. */
export class SocketWriter implements WaitingReader {
  /** Bytes of the body that the socket is known to have taken. */
  taken = 0;
  private headWritten = false;
  private bytes: Uint8Array = none;
  /** Offset of `bytes` in the body. */
  private start = 0;
  /** Called at the end of the wait; `undefined` while nothing waits. */
  private onEnd: ((end: Written) => void) | undefined;
  /** Pace over all waits so far, created at the first one. */
  private pace: Pace | undefined;

  /** `length`: length of the whole body. */
  constructor(
    private readonly response: EngineResponse,
    private readonly reply: HttpResponse,
    private readonly context: ResponseContext,
    private readonly length: number,
    private readonly readers: SlowReaders,
  ) {}

  /**
   * Writes the body's next bytes, at least one. Returns the result at once, or `undefined` and then calls `onEnd` once unless stopped. Run
   * one write at a time, never inside the engine's write callback.
   */
  write(bytes: Uint8Array, onEnd: (end: Written) => void): Written | undefined {
    this.bytes = bytes;
    this.start = this.headWritten ? this.response.getWriteOffset() : 0;
    let end: Written | undefined;
    this.response.cork(() => {
      if (!this.headWritten) writeHead(this.response, this.reply, this.context);
      this.headWritten = true;
      end = this.offer(this.start);
    });
    if (end === undefined) this.wait(onEnd);
    return end;
  }

  /** Stops because the client has left or the bytes are no longer needed. */
  stop(): void {
    this.onEnd = undefined;
    this.bytes = none;
    this.readers.delete(this);
  }

  /** Offers the bytes again, because there may be room that the engine has not reported (`Pace`). */
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
    // Registered once, because the engine must not lose a handler while it calls it.
    if (this.pace === undefined) this.response.onWritable((offset) => this.onWritable(offset));
    this.pace ??= new Pace(this.readers.limit);
    this.pace.begin();
    this.readers.add(this);
  }

  /** Handles new room in the socket. True means that nothing failed, even if there was nothing to write. */
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

  /** Offers the rest from an offset of the body. Returns `undefined` if the socket did not take all of it. */
  private offer(offset: number): Written | undefined {
    const { bytes, start } = this;
    const [taken, finished] = this.response.tryEnd(offset === start ? bytes : bytes.subarray(offset - start), this.length);
    this.taken = taken || finished ? start + bytes.length : offset;
    if (finished) return "sent";
    return taken ? "taken" : undefined;
  }

  private end(end: Written): void {
    const onEnd = this.onEnd;
    this.stop();
    onEnd?.(end);
  }
}

const none = new Uint8Array();
