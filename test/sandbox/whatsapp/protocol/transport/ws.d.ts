/** Types for the parts of `ws` that the sandbox and the benchmarks use. The package has no types. */
declare module "ws" {
  import type { EventEmitter } from "node:events";
  import type { IncomingMessage } from "node:http";
  import type { Duplex } from "node:stream";

  export class WebSocket extends EventEmitter {
    static readonly OPEN: number;
    constructor(address: string, options: { perMessageDeflate: false; maxPayload: number });
    readonly readyState: number;
    readonly bufferedAmount: number;
    send(data: Uint8Array | string): void;
    close(code?: number): void;
    terminate(): void;
    pause(): void;
    resume(): void;
    on(event: "message", listener: (data: Buffer, isBinary: boolean) => void): this;
    on(event: "close", listener: () => void): this;
    on(event: "error", listener: (error: Error) => void): this;
  }

  export class WebSocketServer extends EventEmitter {
    constructor(options: { noServer: true; perMessageDeflate: false; maxPayload: number });
    handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, done: (client: WebSocket) => void): void;
  }
  export default WebSocket;
}
