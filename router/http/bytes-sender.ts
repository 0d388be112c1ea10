import type { HttpResponse as EngineResponse } from "uWebSockets.js";
import type { Asker, HttpAnswer } from "./response.js";
import type { SlowReaders } from "./slow-readers.js";
import { SocketWriter, type Written } from "./socket-writer.js";

export type BytesAnswer = Extract<HttpAnswer, { kind: "bytes" }>;

/** How it ended: all bytes were taken, the client left, or it read too slowly and was cut. */
export type BytesEnd = "sent" | "aborted" | "slow";

/** Sends bytes that are in memory. Must not begin inside the engine's own write callback. */
export class BytesSender {
  private over = false;
  private readonly writer: SocketWriter;

  constructor(
    private readonly response: EngineResponse,
    private readonly answer: BytesAnswer,
    asker: Asker,
    readers: SlowReaders,
    /** Called once; `taken` bytes went to the socket. */
    private readonly onEnd: (end: BytesEnd, taken: number) => void,
  ) {
    this.writer = new SocketWriter(response, answer, asker, answer.bytes.length, readers);
  }

  /** False while bytes wait: from then on, and not before, the engine has to tell of a client that leaves. */
  start(): boolean {
    const written = this.writer.write(this.answer.bytes, (end) => this.written(end));
    if (written !== undefined) this.written(written);
    return this.over;
  }

  /** The client is gone. */
  abort(): void {
    this.writer.stop();
    this.end("aborted");
  }

  private written(end: Written): void {
    this.end(end === "slow" ? "slow" : "sent");
    if (end === "slow") this.response.close();
  }

  private end(end: BytesEnd): void {
    if (this.over) return;
    this.over = true;
    this.onEnd(end, this.writer.taken);
  }
}
