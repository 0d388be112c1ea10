import type { BinaryNode, WASocket } from "@whiskeysockets/baileys";
import type { ConnectionLost } from "./connection-error.js";

/** Who waits on one connection for the server's answers to messages. Not by the library's `waitForMessage`, which takes two stack traces for each message. */
export class MessageAnswers {
  private readonly waiting = new Set<(reason: ConnectionLost) => void>();
  /** The library's events that are listened to here, each for a time of its own. */
  private readonly events = new Set<string>();

  /** `lost`: the connection is over, and with what. */
  constructor(
    private readonly ws: Pick<WASocket["ws"], "on" | "off">,
    private readonly lost: (error: unknown) => ConnectionLost,
  ) {}

  isOwn(event: string): boolean {
    return this.events.has(event);
  }

  /** The ack of a message, or its receipt. `forget` when nobody waits any more. Rejects with `ConnectionLost`. */
  to(messageId: string): { readonly answer: Promise<BinaryNode>; forget(): void } {
    const { ws } = this;
    const tag = `TAG:${messageId}`;
    let forget: () => void = () => undefined;
    const answer = new Promise<BinaryNode>((resolve, reject) => {
      const closed = (error: unknown): void => reject(this.lost(error));
      this.events.add(tag);
      ws.on(tag, resolve);
      ws.on("close", closed);
      ws.on("error", closed);
      this.waiting.add(reject);
      forget = () => {
        ws.off(tag, resolve);
        ws.off("close", closed);
        ws.off("error", closed);
        this.waiting.delete(reject);
        this.events.delete(tag);
      };
    });
    return { answer, forget };
  }

  /** When the library ends a connection by itself, it forgets who waits. */
  end(reason: ConnectionLost): void {
    for (const abandon of this.waiting) abandon(reason);
  }
}
