import type { Agent } from "node:https";
import type { Socket } from "node:net";
import { AbortScope } from "../../../shared/flow/abort-scope.js";
import type { Route } from "../../egress/egress.js";
import { routedAgent } from "../../egress/routed-agent.js";
import type { Fence } from "../../session/session-context.js";

export interface FencedSocketsOptions {
  readonly url: URL;
  readonly fence: Fence;
  readonly route: Route;
  /** Called with each socket before anything is read from it. */
  readonly onSocket?: ((socket: Socket) => void) | undefined;
  /** Called before each write, which waits if this calls `hold`. */
  readonly onWrite: () => void;
  /** Called with the number of bytes that arrived. */
  readonly onBytes: (count: number) => void;
}

/**
 * Dials the TCP socket of one connection. Each write checks the fence itself: after a freeze, a process finishes its current callback
 * before any timer runs (shard/README.md, "Fenced sockets").
 */
export class FencedSockets {
  readonly agent: Agent;
  private readonly sockets = new Set<Socket>();
  private readonly dialling = new AbortScope();
  private holds = 0;

  constructor(private readonly options: FencedSocketsOptions) {
    const { url, route } = options;
    this.agent = routedAgent({
      route,
      secure: url.protocol === "wss:",
      keepAlive: false,
      signal: this.dialling,
      onSocket: (socket) => this.adopt(socket),
    });
  }

  /** Delays all later writes until `release`, because the state that they depend on is not stored yet. */
  hold(): void {
    this.holds += 1;
    for (const socket of this.sockets) socket.cork();
  }

  release(): void {
    this.holds -= 1;
    for (const socket of this.sockets) {
      if (this.options.fence.holds()) socket.uncork();
      else socket.destroy(new Error(notOurs));
    }
  }

  /** Prevents new sockets. An open one may still send its goodbye. */
  endDialling(): void {
    this.dialling.abort(new Error("the connection is over"));
  }

  destroy(): void {
    this.endDialling();
    for (const socket of this.sockets) socket.destroy();
  }

  private adopt(socket: Socket): void {
    const { fence, onSocket, onWrite, onBytes } = this.options;
    onSocket?.(socket);
    const write = socket.write.bind(socket) as (...args: readonly unknown[]) => boolean;
    socket.write = (...args: readonly unknown[]): boolean => {
      if (!fence.holds()) {
        socket.destroy(new Error(notOurs));
        return false;
      }
      onWrite();
      return write(...args);
    };
    this.sockets.add(socket);
    for (let held = 0; held < this.holds; held += 1) socket.cork();
    socket.setNoDelay(true);
    socket.on("data", (bytes: Buffer) => onBytes(bytes.length));
    socket.once("close", () => this.sockets.delete(socket));
    if (!fence.holds()) socket.destroy(new Error(notOurs));
  }
}

const notOurs = "the slot is no longer ours";
