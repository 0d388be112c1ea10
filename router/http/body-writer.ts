import type { HttpResponse as EngineResponse } from "uWebSockets.js";
import type { Asker, HttpAnswer } from "./response.js";
import type { SlowReaders } from "./slow-readers.js";
import { SocketWriter, type Written } from "./socket-writer.js";

export type StreamAnswer = Extract<HttpAnswer, { kind: "stream" }>;

type Outcome = { readonly kind: "sent" | "aborted" | "slow" } | { readonly kind: "failed"; readonly error: unknown };
/** How a stream ended: all bytes were taken, the client left, it read too slowly, or the body failed and the connection was cut. `taken` bytes went to the socket. */
export type StreamEnd = Outcome & { readonly taken: number };

/**
 * Streams a body of known length. The next chunk is asked for only after the socket took the last one, so at most one
 * chunk is held here (and one more by a body that reads ahead). Never rejects; closes the connection on everything but `sent`:
 * an answer that ends short of its `Content-Length` must not look whole.
 */
export async function writeBody(
  response: EngineResponse,
  answer: StreamAnswer,
  asker: Asker,
  readers: SlowReaders,
  aborted: AbortSignal,
): Promise<StreamEnd> {
  const writer = new SocketWriter(response, answer, asker, answer.length, readers);
  const end = { ...(await writeChunks(writer, answer, aborted)), taken: writer.taken };
  if ((end.kind === "slow" || end.kind === "failed") && !aborted.aborted) response.close();
  await stopBody(answer);
  return end;
}

async function writeChunks(writer: SocketWriter, { body, length }: StreamAnswer, aborted: AbortSignal): Promise<Outcome> {
  let announced = 0;
  try {
    for (;;) {
      const next = await body.next();
      // Out of the engine's own callback, in which the socket is corked and takes nothing; and one stream at a time.
      await nextTurn();
      if (aborted.aborted) return { kind: "aborted" };
      if (next.done === true) return { kind: "failed", error: new Error(`body ended after ${announced} of ${length} bytes`) };
      // The engine takes an empty chunk for the end of the response.
      if (next.value.length === 0) continue;
      announced += next.value.length;
      if (announced > length) return { kind: "failed", error: new Error("body is longer than announced") };
      const end = await writeChunk(writer, next.value, aborted);
      if (end !== "taken") return { kind: end };
    }
  } catch (error) {
    return aborted.aborted ? { kind: "aborted" } : { kind: "failed", error };
  }
}

/** Resolves when the socket took the whole chunk, the client left, or it was too slow for a whole window of waiting. */
async function writeChunk(writer: SocketWriter, chunk: Uint8Array, aborted: AbortSignal): Promise<Written | "aborted"> {
  return await new Promise((resolve) => {
    const onAbort = (): void => {
      writer.stop();
      resolve("aborted");
    };
    const end = writer.write(chunk, (later) => {
      aborted.removeEventListener("abort", onAbort);
      resolve(later);
    });
    if (end === undefined) aborted.addEventListener("abort", onAbort, { once: true });
    else resolve(end);
  });
}

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Nothing more is asked of the body: it stops its own read-ahead. */
export async function stopBody({ body }: Pick<StreamAnswer, "body">): Promise<void> {
  try {
    await body.return?.(undefined);
  } catch {
    // The body failed while it was told to stop; how the stream ended is known already.
  }
}
