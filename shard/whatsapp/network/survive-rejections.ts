import type { EventEmitter } from "node:events";
import type { BinaryNode } from "@whiskeysockets/baileys";
import { WebSocketClient } from "@whiskeysockets/baileys/lib/Socket/Client/websocket.js";
import { namesOf } from "./stanza-names.js";

/**
 * Handles the promises of the library's async socket listeners, which the library drops: a closing connection would cause unhandled
 * rejections, which raise alerts. They go to `onRejection` instead. Emits stanzas under those names alone that may have listeners.
 * Process-wide, once.
 */
export function surviveRejections(onRejection: (error: unknown) => void): void {
  report = onRejection;
  if (installed) return;
  installed = true;
  const prototype: Pick<EventEmitter, "emit"> = WebSocketClient.prototype;
  const emit = prototype.emit;
  const call = (socket: EventEmitter, event: string | symbol, args: readonly unknown[]): boolean => {
    const listeners = socket.rawListeners(event);
    // The emitter itself throws an error that has no listener.
    if (listeners.length === 0) return event === "error" && emit.call(socket, event, ...args);
    for (const listener of listeners) {
      const result: unknown = Reflect.apply(listener, socket, args);
      if (result instanceof Promise) result.catch((error: unknown) => report(error));
    }
    return true;
  };
  prototype.emit = function (this: EventEmitter, event, ...args: unknown[]) {
    const [stanza] = args;
    // Right after `frame`, the library emits the same stanza under each of its names.
    if (stanza !== undefined && stanza === emitted) return true;
    if (event !== "frame" || !isStanza(stanza)) return call(this, event, args);
    for (const name of namesOf(this, stanza)) call(this, name, args);
    emitted = stanza;
    return true;
  };
}

let installed = false;
let report: (error: unknown) => void = () => undefined;
/** The last stanza of any socket. */
let emitted: BinaryNode | undefined;

/** The first frames are bytes. */
function isStanza(frame: unknown): frame is BinaryNode {
  return typeof frame === "object" && frame !== null && "tag" in frame;
}
