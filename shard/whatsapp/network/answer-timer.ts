import type { BinaryNode, WASocket } from "@whiskeysockets/baileys";

/**
 * Ends each wait of the library for an answer after `ms`, with an error. The library's own end has nothing, which it takes for an empty answer: a contact of whose devices the platform said nothing had
 * none, and a message to it went out to nobody. It also takes two stack traces, a rejection and a third one for each question, whether or not it is answered. `isOwn` tells waits that are not the library's.
 */
export function boundAnswers({ ws }: Pick<WASocket, "ws">, ms: number, isOwn: (event: string) => boolean): void {
  const timers = new Map<string, NodeJS.Timeout>();
  ws.on("newListener", (event: unknown) => {
    if (!isAnswer(event) || isOwn(event)) return;
    clearTimeout(timers.get(event));
    timers.set(
      event,
      setTimeout(() => ws.emit(event, unanswered), ms),
    );
  });
  // The library stops listening, whatever came of it.
  ws.on("removeListener", (event: unknown) => {
    if (!isAnswer(event)) return;
    clearTimeout(timers.get(event));
    timers.delete(event);
  });
}

/** The failure that comes out of the library when nobody has answered it. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof Error && error.message === sentence;
}

const sentence = "the platform said nothing";
const unanswered: BinaryNode = { tag: "iq", attrs: { type: "error" }, content: [{ tag: "error", attrs: { code: "408", text: sentence } }] };

function isAnswer(event: unknown): event is string {
  return typeof event === "string" && event.startsWith("TAG:");
}
