import { WebSocketClient } from "@whiskeysockets/baileys/lib/Socket/Client/websocket.js";

type Listener = (...args: unknown[]) => unknown;

/**
 * Wraps the library's async socket listeners, whose promises it drops: a closing connection would cause unhandled rejections, which raise
 * alerts. They go to `onRejection` instead. Process-wide, once.
 */
export function surviveRejections(onRejection: (error: unknown) => void): void {
  report = onRejection;
  if (installed) return;
  installed = true;
  const prototype: { on: (event: string | symbol, listener: Listener) => unknown } = WebSocketClient.prototype;
  const on = prototype.on;
  prototype.on = function (this: unknown, event, listener) {
    const guarded = (...args: unknown[]): void => {
      const result = listener(...args);
      if (result instanceof Promise) result.catch((error: unknown) => report(error));
    };
    // The emitter compares this property when the library removes the listener.
    return on.call(this as never, event, Object.assign(guarded, { listener }));
  };
}

let installed = false;
let report: (error: unknown) => void = () => undefined;
