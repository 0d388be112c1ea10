import type { BinaryNode } from "@whiskeysockets/baileys";
import { WebSocketClient } from "@whiskeysockets/baileys/lib/Socket/Client/websocket.js";

type Send = (this: WebSocketClient, bytes: string | Uint8Array, callback?: (error?: Error) => void) => boolean;

/** One message on its way through the gate. */
export interface GatedMessage {
  /** For the library's `additionalNodes`: adds those that were given, and closes the gate in the moment before the message's frame is sent. */
  readonly marker: BinaryNode[];
  /** True once the frame was kept back. */
  readonly closed: boolean;
  open(): void;
}

/**
 * Keeps the frame of a message back until the Signal keys that it was encrypted with are stored. The library sends first and stores then; a process
 * that is killed in between would use the same keys for the next message, which its recipients could not read. All frames behind it wait too, because
 * they are numbered. Questions that the library asks before the message is ready are not touched.
 */
export class FrameGate {
  private closings = 0;
  private waiting: (() => void)[] = [];

  constructor(socket: WebSocketClient) {
    gates.set(socket, this);
  }

  nextMessage(nodes: readonly BinaryNode[] = []): GatedMessage {
    let closed = false;
    const close = (): void => {
      if (closed) return;
      closed = true;
      this.closings += 1;
    };
    return {
      marker: new Marker(nodes, close),
      get closed() {
        return closed;
      },
      open: () => {
        if (closed) this.open();
      },
    };
  }

  /** False when the frame may go now. */
  holdsBack(send: () => void): boolean {
    if (this.closings > 0) this.waiting.push(send);
    return this.closings > 0;
  }

  private open(): void {
    this.closings -= 1;
    if (this.closings > 0) return;
    for (const send of this.waiting.splice(0)) send();
  }
}

/** Before the first socket: the library takes its `send` from the class. Process-wide, once. */
export function installFrameGates(): void {
  if (installed) return;
  installed = true;
  const prototype: { send: Send } = WebSocketClient.prototype;
  const { send } = prototype;
  prototype.send = function (bytes, callback) {
    // The library waits for this callback before it stores the keys.
    if (gates.get(this)?.holdsBack(() => void send.call(this, bytes)) !== true) return send.call(this, bytes, callback);
    callback?.();
    return true;
  };
}

let installed = false;
const gates = new WeakMap<WebSocketClient, FrameGate>();

/** Its one place makes the library spread it, which it does right before it sends. */
class Marker extends Array<BinaryNode> {
  constructor(
    private readonly nodes: readonly BinaryNode[],
    private readonly onSpread: () => void,
  ) {
    super(1);
  }

  override *[Symbol.iterator](): ArrayIterator<BinaryNode> {
    this.onSpread();
    yield* this.nodes;
  }
}
