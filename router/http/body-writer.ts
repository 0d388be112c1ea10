import type { HttpResponse as EngineResponse } from "uWebSockets.js";
import { Pace, type SlowReaderLimit } from "./pace.js";
import { writeHead, type HttpAnswer } from "./response.js";

export type StreamAnswer = Extract<HttpAnswer, { kind: "stream" }>;

type Outcome = { readonly kind: "sent" | "aborted" | "slow" } | { readonly kind: "failed"; readonly error: unknown };
/** How a stream ended: all bytes were taken, the client left, it read too slowly, or the body failed and the connection was cut. `taken` bytes went to the socket. */
export type StreamEnd = Outcome & { readonly taken: number };

/**
 * Streams a body of known length. The next chunk is asked for only after the socket took the last one, so at most one
 * chunk is held here (and one more by a body that reads ahead). Never rejects; closes the connection on everything but `sent`:
 * an answer that ends short of its `Content-Length` must not look whole.
 */
export async function writeBody(response: EngineResponse, answer: StreamAnswer, limit: SlowReaderLimit, aborted: AbortSignal): Promise<StreamEnd> {
  const writer = new BodyWriter(response, answer, limit, aborted);
  const end = { ...(await writer.run()), taken: writer.taken };
  if ((end.kind === "slow" || end.kind === "failed") && !aborted.aborted) response.close();
  await stopBody(answer);
  return end;
}

type ChunkEnd = "taken" | "sent" | "aborted" | "slow";

class BodyWriter {
  /** Bytes that the socket took, as far as it was seen. */
  taken = 0;
  private headWritten = false;
  private announced = 0;
  /** The chunk that the socket is taking, and the offset of its first byte in the body. */
  private chunk: Uint8Array = new Uint8Array();
  private chunkStart = 0;
  /** Ends the wait for the socket; `undefined` while nothing waits. */
  private wake: ((end: ChunkEnd) => void) | undefined;
  private readonly pace: Pace;

  constructor(
    private readonly response: EngineResponse,
    private readonly answer: StreamAnswer,
    limit: SlowReaderLimit,
    private readonly aborted: AbortSignal,
  ) {
    this.pace = new Pace(limit);
  }

  async run(): Promise<Outcome> {
    // Once: the engine must not lose the handler that it is calling.
    this.response.onWritable((offset) => this.onWritable(offset));
    try {
      for (;;) {
        const next = await this.answer.body.next();
        // Out of the engine's own callback, in which the socket is corked and takes nothing; and one stream at a time.
        await nextTurn();
        if (this.aborted.aborted) return { kind: "aborted" };
        if (next.done === true) return { kind: "failed", error: new Error(`body ended after ${this.announced} of ${this.answer.length} bytes`) };
        // The engine takes an empty chunk for the end of the response.
        if (next.value.length === 0) continue;
        this.announced += next.value.length;
        if (this.announced > this.answer.length) return { kind: "failed", error: new Error("body is longer than announced") };
        const end = await this.write(next.value);
        if (end !== "taken") return { kind: end };
      }
    } catch (error) {
      return this.aborted.aborted ? { kind: "aborted" } : { kind: "failed", error };
    } finally {
      this.chunk = new Uint8Array();
    }
  }

  private async write(chunk: Uint8Array): Promise<ChunkEnd> {
    this.chunk = chunk;
    this.chunkStart = this.headWritten ? this.response.getWriteOffset() : 0;
    let end: ChunkEnd | undefined;
    this.response.cork(() => {
      if (!this.headWritten) writeHead(this.response, this.answer);
      this.headWritten = true;
      end = this.push(this.chunkStart);
    });
    return end ?? (await this.drained());
  }

  /** Offers the rest of the chunk from an offset of the body; `undefined` when the socket did not take all of it. */
  private push(offset: number): "taken" | "sent" | undefined {
    const [taken, finished] = this.response.tryEnd(this.chunk.subarray(offset - this.chunkStart), this.answer.length);
    this.taken = taken || finished ? this.announced : offset;
    if (finished) return "sent";
    return taken ? "taken" : undefined;
  }

  /** Waits until the socket took the whole chunk, the client left, or it was too slow for a whole window of waiting. */
  private async drained(): Promise<ChunkEnd> {
    this.pace.begin();
    return await new Promise((resolve) => {
      const onAbort = (): void => this.wake?.("aborted");
      const timer = setInterval(() => this.check(), this.pace.checkMs);
      this.aborted.addEventListener("abort", onAbort, { once: true });
      this.wake = (end) => {
        this.wake = undefined;
        clearInterval(timer);
        this.aborted.removeEventListener("abort", onAbort);
        resolve(end);
      };
    });
  }

  private check(): void {
    const offset = this.response.getWriteOffset();
    if (this.pace.tooSlow(offset)) {
      this.wake?.("slow");
      return;
    }
    let end: ChunkEnd | undefined;
    this.response.cork(() => {
      end = this.push(offset);
    });
    if (end !== undefined) this.wake?.(end);
  }

  /** The engine's socket has room again. True means that nothing failed, also when there was nothing to write. */
  private onWritable(offset: number): boolean {
    if (this.wake === undefined) return true;
    if (this.pace.tooSlow(offset)) {
      this.wake("slow");
      return true;
    }
    const end = this.push(offset);
    if (end !== undefined) this.wake(end);
    return end !== undefined;
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Nothing more is asked of the body: it stops its own read-ahead. */
async function stopBody({ body }: StreamAnswer): Promise<void> {
  try {
    await body.return?.(undefined);
  } catch {
    // The body failed while it was told to stop; how the stream ended is known already.
  }
}
