import type { Agent } from "node:https";
import type { Socket } from "node:net";
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
  /** Called with the bytes that came in. */
  readonly onBytes: (count: number) => void;
}

/**
 * The TCP socket below one connection of the library, reached through the agent that it dials with. Every write first asks the fence, here and
 * not on a timer: a process that was frozen in the middle of a callback finishes that callback before any timer runs (shard/README.md, "Fenced sockets").
 */
export class FencedSockets {
  readonly agent: Agent;
  private readonly sockets = new Set<Socket>();
  private readonly dialling = new AbortController();
  private holds = 0;

  constructor(private readonly options: FencedSocketsOptions) {
    const { url, route } = options;
    this.agent = routedAgent({
      route,
      secure: url.protocol === "wss:",
      keepAlive: false,
      signal: this.dialling.signal,
      onSocket: (socket) => this.adopt(socket),
    });
  }

  /** What is written from now on waits for `release`: what it depends on is not stored yet. */
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

  /** No socket comes about any more; one that stands may say goodbye. */
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
