import { WebSocketClient } from "@whiskeysockets/baileys/lib/Socket/Client/websocket.js";

type Listener = (...args: unknown[]) => unknown;

/**
 * The library registers asynchronous listeners on its socket and drops their promises: one IQ that is cut off by a closing connection would be
 * a rejection that nobody handles. The process survives those, but counts and alerts on them (`surviveStrays`), and these say nothing: each
 * closing connection may bring some. Every listener is wrapped so that its rejection is told to `onRejection` instead. Process-wide, once.
 */
export function surviveRejections(onRejection: (error: unknown) => void): void {
  tell = onRejection;
  if (installed) return;
  installed = true;
  const prototype: { on: (event: string | symbol, listener: Listener) => unknown } = WebSocketClient.prototype;
  const on = prototype.on;
  prototype.on = function (this: unknown, event, listener) {
    const guarded = (...args: unknown[]): void => {
      const result = listener(...args);
      if (result instanceof Promise) result.catch((error: unknown) => tell(error));
    };
    // What the emitter compares with when the library takes the listener off again.
    return on.call(this as never, event, Object.assign(guarded, { listener }));
  };
}

let installed = false;
let tell: (error: unknown) => void = () => undefined;
