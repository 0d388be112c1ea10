import type { EventEmitter } from "node:events";
import { WebSocketClient } from "@whiskeysockets/baileys/lib/Socket/Client/websocket.js";

/**
 * Handles the promises of the library's async socket listeners, which the library drops: a closing connection would cause unhandled
 * rejections, which raise alerts. They go to `onRejection` instead. Process-wide, once.
 */
export function surviveRejections(onRejection: (error: unknown) => void): void {
  report = onRejection;
  if (installed) return;
  installed = true;
  const prototype: Pick<EventEmitter, "emit"> = WebSocketClient.prototype;
  const emit = prototype.emit;
  prototype.emit = function (this: EventEmitter, event, ...args: unknown[]) {
    const listeners = this.rawListeners(event);
    // The emitter itself throws an error that has no listener.
    if (listeners.length === 0) return emit.call(this, event, ...args);
    for (const listener of listeners) {
      const result: unknown = Reflect.apply(listener, this, args);
      if (result instanceof Promise) result.catch((error: unknown) => report(error));
    }
    return true;
  };
}

let installed = false;
let report: (error: unknown) => void = () => undefined;
