import type { HttpResponse as EngineResponse } from "uWebSockets.js";
import { writeHead, type HttpAnswer } from "./response.js";

export type StreamAnswer = Extract<HttpAnswer, { kind: "stream" }>;

/** How slow a client may read while data waits for it: `bytesPerSecond` on average over `windowMs`. */
export interface SlowReaderLimit {
  readonly bytesPerSecond: number;
  readonly windowMs: number;
}

/** How a stream ended: all bytes were taken, the client left, it read too slowly, or the body failed and the connection was cut. */
export type StreamEnd = { readonly kind: "sent" | "aborted" | "slow" } | { readonly kind: "failed"; readonly error: unknown };

/**
 * Streams a body of known length. The next chunk is asked for only after the socket took the last one, so at most one
 * chunk is held here (and one more by a body that reads ahead). Never rejects; closes the connection on everything but `sent`:
 * an answer that ends short of its `Content-Length` must not look whole.
 */
export async function writeBody(response: EngineResponse, answer: StreamAnswer, limit: SlowReaderLimit, aborted: AbortSignal): Promise<StreamEnd> {
  const writer = new BodyWriter(response, answer, limit, aborted);
  const end = await writer.run();
  if ((end.kind === "slow" || end.kind === "failed") && !aborted.aborted) response.close();
  await stopBody(answer);
  return end;
}

class BodyWriter {
  private headWritten = false;
  private sentBytes = 0;
  /** Time spent waiting for the socket and bytes it took in that time, since the window opened. */
  private waitedMs = 0;
  private drainedBytes = 0;

  constructor(
    private readonly response: EngineResponse,
    private readonly answer: StreamAnswer,
    private readonly limit: SlowReaderLimit,
    private readonly aborted: AbortSignal,
  ) {}

  async run(): Promise<StreamEnd> {
    try {
      for (;;) {
        const next = await this.answer.body.next();
        if (this.aborted.aborted) return { kind: "aborted" };
        if (next.done === true) return { kind: "failed", error: new Error(`body ended after ${this.sentBytes} of ${this.answer.length} bytes`) };
        // The engine takes an empty chunk for the end of the response.
        if (next.value.length === 0) continue;
        if (this.sentBytes + next.value.length > this.answer.length) return { kind: "failed", error: new Error("body is longer than announced") };
        const state = await this.writeChunk(next.value);
        if (state !== "written") return { kind: state };
      }
    } catch (error) {
      return this.aborted.aborted ? { kind: "aborted" } : { kind: "failed", error };
    }
  }

  private async writeChunk(chunk: Uint8Array): Promise<"written" | "sent" | "aborted" | "slow"> {
    const start = this.headWritten ? this.response.getWriteOffset() : 0;
    let taken = false;
    let finished = false;
    // Where the engine stands in this chunk; it may take a part and ask for the rest later.
    const push = (from: number): boolean => {
      [taken, finished] = this.response.tryEnd(from === 0 ? chunk : chunk.subarray(from), this.answer.length);
      return taken;
    };
    this.response.cork(() => {
      if (!this.headWritten) writeHead(this.response, this.answer);
      this.headWritten = true;
      push(0);
    });
    if (!taken && !finished) {
      const waited = await this.waitUntil(start, (offset) => push(offset - start), () => taken || finished);
      if (waited !== "taken") return waited;
    }
    this.sentBytes += chunk.length;
    return finished ? "sent" : "written";
  }

  /** Waits until the engine took the whole chunk, the client left, or it was too slow for a whole window of waiting. */
  private async waitUntil(start: number, push: (offset: number) => boolean, isTaken: () => boolean): Promise<"taken" | "aborted" | "slow"> {
    let lastOffset = start;
    let lastAt = performance.now();
    return await new Promise((resolve) => {
      let over = false;
      const finish = (outcome: "taken" | "aborted" | "slow"): void => {
        over = true;
        clearInterval(timer);
        this.aborted.removeEventListener("abort", onAbort);
        resolve(outcome);
      };
      const measure = (offset: number): void => {
        const now = performance.now();
        this.waitedMs += now - lastAt;
        this.drainedBytes += offset - lastOffset;
        lastAt = now;
        lastOffset = offset;
        if (this.waitedMs < this.limit.windowMs) return;
        const needed = (this.limit.bytesPerSecond * this.waitedMs) / 1000;
        const tooSlow = this.drainedBytes < needed;
        this.waitedMs = 0;
        this.drainedBytes = 0;
        if (tooSlow) finish("slow");
      };
      const onAbort = (): void => finish("aborted");
      const timer = setInterval(() => measure(this.response.getWriteOffset()), Math.max(10, this.limit.windowMs / 12));
      this.aborted.addEventListener("abort", onAbort, { once: true });
      this.response.onWritable((offset) => {
        if (!over) measure(offset);
        // Nothing was written: for the engine that is a success.
        if (over) return true;
        const taken = push(offset);
        if (isTaken()) finish("taken");
        return taken;
      });
    });
  }
}

/** Nothing more is asked of the body: it stops its own read-ahead. */
async function stopBody({ body }: StreamAnswer): Promise<void> {
  try {
    await body.return?.(undefined);
  } catch {
    // The body failed while it was told to stop; how the stream ended is known already.
  }
}
