import { Agent as HttpAgent, type AgentOptions } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { isIPv6, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Fence } from "../../session/session-context.js";

export interface FencedLinkOptions {
  readonly url: URL;
  readonly fence: Fence;
  /** Local address that the socket is bound to. */
  readonly egressAddress: string | undefined;
  /** Called with the bytes that came in. */
  readonly onBytes: (count: number) => void;
}

/**
 * The TCP socket below one connection of the library, reached through the agent that it dials with. Every write first asks the fence, here and
 * not on a timer: a process that was frozen in the middle of a callback finishes that callback before any timer runs (shard/README.md, "Fenced sockets").
 */
export class FencedLink {
  readonly agent: HttpsAgent;
  private readonly sockets = new Set<Socket>();
  private holds = 0;

  constructor(private readonly options: FencedLinkOptions) {
    const { url, egressAddress } = options;
    const base = url.protocol === "wss:" ? HttpsAgent : HttpAgent;
    const settings: AgentOptions = { keepAlive: false, ...localAddress(egressAddress) };
    // The library's type names the TLS one; for `ws:` Node wants the other.
    this.agent = fencedAgent(base, settings, (socket) => this.adopt(socket)) as HttpsAgent;
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

  destroy(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  private adopt(socket: Socket): void {
    const { fence, onBytes } = this.options;
    const write = socket.write.bind(socket) as (...args: readonly unknown[]) => boolean;
    socket.write = (...args: readonly unknown[]): boolean => {
      if (fence.holds()) return write(...args);
      socket.destroy(new Error(notOurs));
      return false;
    };
    this.sockets.add(socket);
    for (let held = 0; held < this.holds; held += 1) socket.cork();
    socket.setNoDelay(true);
    socket.on("data", (bytes: Buffer) => onBytes(bytes.length));
    socket.once("close", () => this.sockets.delete(socket));
    if (!fence.holds()) socket.destroy(new Error(notOurs));
  }
}

/** Options of an agent whose sockets are to leave from this address. */
export function localAddress(address: string | undefined): AgentOptions {
  return address === undefined ? {} : { localAddress: address, family: isIPv6(address) ? 6 : 4 };
}

const notOurs = "the slot is no longer ours";

type AnyAgent = typeof HttpAgent | typeof HttpsAgent;

function fencedAgent(base: AnyAgent, settings: AgentOptions, adopt: (socket: Socket) => void): HttpAgent {
  const agent = new base(settings);
  const dial = agent.createConnection.bind(agent) as (...args: readonly unknown[]) => Duplex;
  agent.createConnection = (...args: readonly unknown[]) => {
    const socket = dial(...args) as Socket;
    adopt(socket);
    return socket;
  };
  return agent;
}
