import type { BinaryNode, WASocket } from "@whiskeysockets/baileys";

/**
 * Ends each wait of the library for a response with an error after `ms`. The library's own timeout yields an empty response (a contact
 * without devices) and costs two stack traces a query. `isOwn` excludes the adapter's waits.
 */
export function boundQueries({ ws }: Pick<WASocket, "ws">, ms: number, isOwn: (event: string) => boolean): void {
  const timers = new Map<string, NodeJS.Timeout>();
  ws.on("newListener", (event: unknown) => {
    if (!isResponseEvent(event) || isOwn(event)) return;
    clearTimeout(timers.get(event));
    timers.set(
      event,
      setTimeout(() => ws.emit(event, timeoutResponse), ms),
    );
  });
  // The library unsubscribes after every outcome.
  ws.on("removeListener", (event: unknown) => {
    if (!isResponseEvent(event)) return;
    clearTimeout(timers.get(event));
    timers.delete(event);
  });
}

/** True for the error that a query of the library throws when no response arrives in time. */
export function isQueryTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === sentence;
}

const sentence = "the platform said nothing";
const timeoutResponse: BinaryNode = {
  tag: "iq",
  attrs: { type: "error" },
  content: [{ tag: "error", attrs: { code: "408", text: sentence } }],
};

function isResponseEvent(event: unknown): event is string {
  return typeof event === "string" && event.startsWith("TAG:");
}
