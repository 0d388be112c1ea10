import type { HttpResponse as EngineResponse } from "uWebSockets.js";
import type { ResponseContext, HttpResponse } from "./response.js";
import type { SlowReaders } from "./slow-readers.js";
import { SocketWriter, type Written } from "./socket-writer.js";

export type StreamResponse = Extract<HttpResponse, { kind: "stream" }>;

type Outcome = { readonly kind: "sent" | "aborted" | "slow" } | { readonly kind: "failed"; readonly error: unknown };
/**
 * How a stream ended: all bytes sent, client left, client too slow, or body failed and connection closed. `taken`: bytes that went to the
 * socket.
 */
export type StreamEnd = Outcome & { readonly taken: number };

/**
 * Streams a body of known length, one chunk at a time. Never rejects. Closes the connection on every end but `sent`, because a response
 * shorter than its `Content-Length` must not pass for complete.
 */
export async function writeBody(
  response: EngineResponse,
  reply: StreamResponse,
  context: ResponseContext,
  readers: SlowReaders,
  aborted: AbortSignal,
): Promise<StreamEnd> {
  const writer = new SocketWriter(response, reply, context, reply.length, readers);
  const end = { ...(await writeChunks(writer, reply, aborted)), taken: writer.taken };
  if ((end.kind === "slow" || end.kind === "failed") && !aborted.aborted) response.close();
  await stopBody(reply);
  return end;
}

async function writeChunks(writer: SocketWriter, { body, length }: StreamResponse, aborted: AbortSignal): Promise<Outcome> {
  let announced = 0;
  try {
    for (;;) {
      const next = await body.next();
      // Leaves the engine's callback, in which the socket is corked and takes nothing. It also lets other streams take turns.
      await nextTurn();
      if (aborted.aborted) return { kind: "aborted" };
      if (next.done === true) return { kind: "failed", error: new Error(`body ended after ${announced} of ${length} bytes`) };
      // An empty chunk would end the response.
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

/** Resolves when the socket has taken the whole chunk, the client has left, or the client was too slow for a whole window. */
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

/** Ends the body, which also stops its read-ahead. */
export async function stopBody({ body }: Pick<StreamResponse, "body">): Promise<void> {
  try {
    await body.return?.(undefined);
  } catch {
    // The body failed while it was being ended. The stream's outcome is already known.
  }
}
