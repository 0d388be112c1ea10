import type { HttpResponse as EngineResponse } from "uWebSockets.js";
import { nextTurn, stopBody } from "./body-writer.js";
import { writeHead, type ResponseContext, type HttpResponse } from "./response.js";

export type OpenEndedResponse = Extract<HttpResponse, { kind: "open-ended" }>;

/**
 * How it ended: the body ended, the client left or took nothing for 10 s (the engine's limit), or the body failed and the connection was
 * closed.
 */
export type OpenEnd = { readonly kind: "ended" | "aborted" } | { readonly kind: "failed"; readonly error: unknown };

/**
 * Streams a body of unknown length, one piece at a time. Never rejects. Closes the connection if the body fails, so that the client does
 * not take a part for the whole.
 */
export async function writeOpenEnded(
  response: EngineResponse,
  reply: OpenEndedResponse,
  context: ResponseContext,
  closes: () => boolean,
  aborted: AbortSignal,
): Promise<OpenEnd> {
  const end = await writePieces(response, reply, context, aborted);
  if (!aborted.aborted) {
    if (end.kind === "failed") response.close();
    else response.cork(() => void response.end(undefined, closes()));
  }
  await stopBody(reply);
  return end;
}

async function writePieces(
  response: EngineResponse,
  reply: OpenEndedResponse,
  context: ResponseContext,
  aborted: AbortSignal,
): Promise<OpenEnd> {
  const room = new Room(response, aborted);
  let headWritten = false;
  try {
    for (;;) {
      const next = await reply.body.next();
      // Leaves the engine's callback, in which the socket is corked.
      await nextTurn();
      if (aborted.aborted) return { kind: "aborted" };
      let taken = true;
      response.cork(() => {
        if (!headWritten) writeHead(response, reply, context);
        headWritten = true;
        // An empty piece would end the response.
        if (next.done !== true && next.value.length > 0) taken = response.write(next.value);
      });
      if (next.done === true) return { kind: "ended" };
      if (!taken) await room.made();
      if (aborted.aborted) return { kind: "aborted" };
    }
  } catch (error) {
    return aborted.aborted ? { kind: "aborted" } : { kind: "failed", error };
  }
}

/** Resolves when the socket has taken what the engine buffered, or when the client has left. */
class Room {
  private onRoom: (() => void) | undefined;
  private listens = false;

  constructor(
    private readonly response: EngineResponse,
    aborted: AbortSignal,
  ) {
    aborted.addEventListener("abort", () => this.onRoom?.(), { once: true });
  }

  made(): Promise<void> {
    return new Promise((resolve) => {
      this.onRoom = resolve;
      // Registered once, because the engine must not lose a handler while it calls it.
      if (!this.listens) this.response.onWritable(() => this.onWritable());
      this.listens = true;
    });
  }

  private onWritable(): boolean {
    this.onRoom?.();
    return true;
  }
}
