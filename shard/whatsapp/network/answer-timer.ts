import type { WASocket } from "@whiskeysockets/baileys";

/**
 * Ends each wait of the library for an answer after `ms`, with the nothing that its own end of a wait has. Its own takes two stack traces, a rejection and a third one for each question, whether or not
 * it is answered. `isOwn` tells waits that are not the library's.
 */
export function boundAnswers({ ws }: Pick<WASocket, "ws">, ms: number, isOwn: (event: string) => boolean): void {
  const timers = new Map<string, NodeJS.Timeout>();
  ws.on("newListener", (event: unknown) => {
    if (!isAnswer(event) || isOwn(event)) return;
    clearTimeout(timers.get(event));
    timers.set(
      event,
      setTimeout(() => ws.emit(event, undefined), ms),
    );
  });
  // The library stops listening, whatever came of it.
  ws.on("removeListener", (event: unknown) => {
    if (!isAnswer(event)) return;
    clearTimeout(timers.get(event));
    timers.delete(event);
  });
}

function isAnswer(event: unknown): event is string {
  return typeof event === "string" && event.startsWith("TAG:");
}
