import type { HttpResponse as EngineResponse } from "uWebSockets.js";
import { nextTurn, stopBody } from "./body-writer.js";
import { writeHead, type Asker, type HttpAnswer } from "./response.js";

export type OpenEndedAnswer = Extract<HttpAnswer, { kind: "open-ended" }>;

/** How it ended: the body did, the client left or took nothing for 10 s (the engine's own limit), or the body failed and the connection was cut. */
export type OpenEnd = { readonly kind: "ended" | "aborted" } | { readonly kind: "failed"; readonly error: unknown };

/**
 * Streams a body of unknown length. The next piece is asked for only after the socket took the last one, so the engine holds one piece at most for a slow client.
 * Never rejects. A body that fails closes the connection: its client must not take what it has for the whole.
 */
export async function writeOpenEnded(
  response: EngineResponse,
  answer: OpenEndedAnswer,
  asker: Asker,
  closes: () => boolean,
  aborted: AbortSignal,
): Promise<OpenEnd> {
  const end = await writePieces(response, answer, asker, aborted);
  if (!aborted.aborted) {
    if (end.kind === "failed") response.close();
    else response.cork(() => void response.end(undefined, closes()));
  }
  await stopBody(answer);
  return end;
}

async function writePieces(response: EngineResponse, answer: OpenEndedAnswer, asker: Asker, aborted: AbortSignal): Promise<OpenEnd> {
  const room = new Room(response, aborted);
  let headWritten = false;
  try {
    for (;;) {
      const next = await answer.body.next();
      // Out of the engine's own callback, in which the socket is corked.
      await nextTurn();
      if (aborted.aborted) return { kind: "aborted" };
      let taken = true;
      response.cork(() => {
        if (!headWritten) writeHead(response, answer, asker);
        headWritten = true;
        // The engine takes an empty piece for the end of the response.
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

/** Tells when the socket has taken what the engine kept for it, or the client has left. */
class Room {
  private tell: (() => void) | undefined;
  private listens = false;

  constructor(
    private readonly response: EngineResponse,
    aborted: AbortSignal,
  ) {
    aborted.addEventListener("abort", () => this.tell?.(), { once: true });
  }

  made(): Promise<void> {
    return new Promise((resolve) => {
      this.tell = resolve;
      // Once: the engine must not lose the handler that it is calling.
      if (!this.listens) this.response.onWritable(() => this.onWritable());
      this.listens = true;
    });
  }

  private onWritable(): boolean {
    this.tell?.();
    return true;
  }
}
