import type { HttpResponse as EngineResponse } from "uWebSockets.js";
import type { ResponseContext, HttpResponse } from "./response.js";
import type { SlowReaders } from "./slow-readers.js";
import { SocketWriter, type Written } from "./socket-writer.js";

export type BytesResponse = Extract<HttpResponse, { kind: "bytes" }>;

/** How the send ended: all bytes sent, client left, or client too slow and cut off. */
export type BytesEnd = "sent" | "aborted" | "slow";

/** Sends bytes that are in memory. Must not start inside the engine's own write callback. */
export class BytesSender {
  private over = false;
  private readonly writer: SocketWriter;

  constructor(
    private readonly response: EngineResponse,
    private readonly reply: BytesResponse,
    context: ResponseContext,
    readers: SlowReaders,
    /** Called once. `taken`: bytes that went to the socket. */
    private readonly onEnd: (end: BytesEnd, taken: number) => void,
  ) {
    this.writer = new SocketWriter(response, reply, context, reply.bytes.length, readers);
  }

  /** Starts to send. Returns false while bytes wait: from then on the caller must watch for a client that leaves. */
  start(): boolean {
    const written = this.writer.write(this.reply.bytes, (end) => this.written(end));
    if (written !== undefined) this.written(written);
    return this.over;
  }

  /** Ends the send because the client has left. */
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
