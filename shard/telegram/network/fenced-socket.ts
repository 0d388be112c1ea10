import type { Socket } from "node:net";
import { PromisedNetSockets } from "telegram/extensions/index.js";
import { AbortScope } from "../../../shared/flow/abort-scope.js";
import type { Ending } from "../../../shared/flow/ending.js";
import type { Route } from "../../egress/egress.js";
import type { Target } from "../../egress/open-tunnel.js";
import type { Fence } from "../../session/session-context.js";
import { ByteQueue } from "./byte-queue.js";

export interface FencedSocketOptions {
  readonly fence: Fence;
  /** Virtual address of a data centre -> `host:port`. Any other address is used as it is, with GramJS's port. */
  readonly dcMap: ReadonlyMap<string, string>;
  readonly route: Route;
  readonly connectMs: number;
  /** Ends every socket of the class, even one that is still connecting, which GramJS cannot do. */
  readonly signal: Ending;
  /** Called with each socket before its first read. */
  readonly onSocket?: (socket: Socket) => void;
  /** Called with the number of bytes received. */
  readonly onBytes?: (count: number) => void;
}

/** Returns a class for GramJS's `networkSocket`, bound to one session. */
export function fencedSocketClass(options: FencedSocketOptions): typeof PromisedNetSockets {
  return class extends FencedSocket {
    constructor() {
      super(options);
    }
  };
}

/**
 * The platform socket of a session. Every write checks the fence itself: a process that was frozen in a callback finishes that callback
 * before any timer runs (shard/README.md, "Fenced sockets").
 */
class FencedSocket extends PromisedNetSockets {
  private socket: Socket | undefined;
  private readonly incoming = new ByteQueue();
  private readonly closing = new AbortScope();

  constructor(private readonly options: FencedSocketOptions) {
    super();
  }

  override async connect(port: number, ip: string): Promise<void> {
    const { fence, dcMap, route, connectMs, signal } = this.options;
    signal.throwIfAborted();
    if (!fence.holds()) throw new Error("the slot is no longer ours");
    const socket = await this.dial(route, target(dcMap, ip, port), connectMs, signal);
    if (!fence.holds()) {
      socket.destroy();
      throw new Error("the slot is no longer ours");
    }
    this.socket = socket;
    this.options.onSocket?.(socket);
    const abort = (): unknown => socket.destroy();
    signal.addEventListener("abort", abort, { once: true });
    socket.once("close", () => {
      signal.removeEventListener("abort", abort);
      this.incoming.end();
    });
    socket.on("data", (bytes) => {
      this.options.onBytes?.(bytes.length);
      this.incoming.push(bytes);
      // Backpressure: a server that sends faster than GramJS decrypts would fill the memory. A frame that is waited for comes whole.
      if (this.incoming.spare > highWaterBytes) socket.pause();
    });
    if (socket.destroyed) throw new Error("connection is closed");
  }

  private async dial(route: Route, to: Target, connectMs: number, signal: Ending): Promise<Socket> {
    const scope = new AbortScope([signal, this.closing], connectMs, new Error(`no connection within ${connectMs} ms`));
    try {
      return await route.dial(to, scope);
    } finally {
      scope.close();
    }
  }

  /** Not `async`, which would make two more promises for each read. */
  override readExactly(count: number): Promise<Buffer<ArrayBuffer>> {
    // A transport that announces more than the protocol allows would make us wait for ever.
    if (count < 0 || count > frameMaxBytes) return Promise.reject(new Error("frame size out of range"));
    const bytes = this.incoming.take(count);
    if (this.socket?.isPaused() === true && this.incoming.spare <= highWaterBytes) this.socket.resume();
    return bytes;
  }

  override read(count: number): Promise<Buffer<ArrayBuffer>> {
    return this.readExactly(count);
  }

  override write(data: Buffer): void {
    const { socket } = this;
    if (socket === undefined || socket.destroyed) throw new Error("connection is closed");
    if (!this.options.fence.holds()) {
      socket.destroy(new Error("the slot is no longer ours"));
      throw new Error("the slot is no longer ours");
    }
    socket.write(data);
  }

  override async close(): Promise<void> {
    this.closing.abort(new Error("connection is closed"));
    this.socket?.destroy();
  }

  override toString(): string {
    return "FencedSocket";
  }
}

// Room for four replies of the largest size.
const highWaterBytes = 4 * 1024 * 1024;
const frameMaxBytes = 16 * 1024 * 1024;

function target(dcMap: ReadonlyMap<string, string>, ip: string, port: number): Target {
  const mapped = dcMap.get(ip);
  if (mapped === undefined) return { host: ip, port };
  const colon = mapped.lastIndexOf(":");
  return { host: mapped.slice(0, colon), port: Number(mapped.slice(colon + 1)) };
}
