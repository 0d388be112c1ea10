import type { HttpResponse as EngineResponse } from "uWebSockets.js";
import { Pace, type SlowReaderLimit } from "./pace.js";
import { writeHead, type HttpAnswer } from "./response.js";

export type BytesAnswer = Extract<HttpAnswer, { kind: "bytes" }>;

/** How it ended: all bytes were taken, the client left, or it read too slowly and was cut. */
export type BytesEnd = "sent" | "aborted" | "slow";

/**
 * Sends bytes that are in memory: offered to the socket at once and, as far as it does not take them, again whenever it has room. Nothing is
 * copied and, for a client that keeps up, nothing waits. Must not begin inside the engine's own write callback.
 */
export class BytesSender {
  private over = false;
  private taken = 0;
  private pace: Pace | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly response: EngineResponse,
    private readonly answer: BytesAnswer,
    private readonly limit: SlowReaderLimit,
    /** Called once; `taken` bytes went to the socket. */
    private readonly onEnd: (end: BytesEnd, taken: number) => void,
  ) {}

  start(): void {
    const { response, answer } = this;
    let finished = false;
    response.cork(() => {
      writeHead(response, answer);
      finished = this.offer(0);
    });
    if (finished) this.end("sent");
    else this.wait();
  }

  /** The client is gone. */
  abort(): void {
    this.end("aborted");
  }

  private wait(): void {
    const pace = new Pace(this.limit);
    this.pace = pace;
    pace.begin();
    this.response.onWritable((offset) => this.onWritable(offset));
    this.timer = setInterval(() => this.check(pace), pace.checkMs);
  }

  private check(pace: Pace): void {
    const offset = this.response.getWriteOffset();
    if (pace.tooSlow(offset)) {
      this.cut();
      return;
    }
    let finished = false;
    this.response.cork(() => {
      finished = this.offer(offset);
    });
    if (finished) this.end("sent");
  }

  /** True means that nothing failed, also when there was nothing to write. */
  private onWritable(offset: number): boolean {
    if (this.over) return true;
    if (this.pace?.tooSlow(offset) === true) {
      this.cut();
      return true;
    }
    const finished = this.offer(offset);
    if (finished) this.end("sent");
    return finished;
  }

  private offer(offset: number): boolean {
    const { bytes } = this.answer;
    this.taken = offset;
    return this.response.tryEnd(offset === 0 ? bytes : bytes.subarray(offset), bytes.length)[1];
  }

  private cut(): void {
    this.taken = this.response.getWriteOffset();
    this.end("slow");
    this.response.close();
  }

  private end(end: BytesEnd): void {
    if (this.over) return;
    this.over = true;
    clearInterval(this.timer);
    this.onEnd(end, end === "sent" ? this.answer.bytes.length : this.taken);
  }
}
