import type { BinaryNode, WASocket } from "@whiskeysockets/baileys";
import type { ConnectionLost } from "./connection-error.js";

/**
 * Waits on one connection for the server's acks of messages. The library's own `waitForMessage` takes two stack traces for each message.
 */
export class MessageAcks {
  private readonly waiting = new Set<(reason: ConnectionLost) => void>();
  /** The library's events that this class waits for, each with its own time limit. */
  private readonly events = new Set<string>();

  /** `lost` converts the error of a closed connection. */
  constructor(
    private readonly ws: Pick<WASocket["ws"], "on" | "off">,
    lost: (error: unknown) => ConnectionLost,
  ) {
    const closed = (error: unknown): void => {
      if (this.waiting.size > 0) this.end(lost(error));
    };
    ws.on("close", closed);
    ws.on("error", closed);
  }

  isOwn(event: string): boolean {
    return this.events.has(event);
  }

  /** Waits for the ack or the receipt of a message. Call `forget` when the wait is over. Rejects with `ConnectionLost`. */
  to(messageId: string): { readonly ack: Promise<BinaryNode>; forget(): void } {
    const { ws } = this;
    const tag = `TAG:${messageId}`;
    let forget: () => void = () => undefined;
    const ack = new Promise<BinaryNode>((resolve, reject) => {
      this.events.add(tag);
      ws.on(tag, resolve);
      this.waiting.add(reject);
      forget = () => {
        ws.off(tag, resolve);
        this.waiting.delete(reject);
        this.events.delete(tag);
      };
    });
    return { ack, forget };
  }

  /** When the library itself ends a connection, it leaves pending waits unsettled. */
  end(reason: ConnectionLost): void {
    for (const abandon of this.waiting) abandon(reason);
  }
}
