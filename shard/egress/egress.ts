import { connect, isIPv6, type Socket, type TcpNetConnectOpts } from "node:net";
import type { LookupAddress } from "node:dns";
import type { ProxyAddress } from "../../shared/tenant/proxy-address.js";
import { AbortScope, untilAborted } from "../../shared/flow/abort-scope.js";
import type { Ending } from "../../shared/flow/ending.js";
import { openTunnel, type Target } from "./open-tunnel.js";
import { ProxyFault, type ProxyFaultKind } from "./proxy-fault.js";
import type { ProxyGuard } from "./proxy-guard.js";

export interface EgressOptions {
  /** Local address that sockets to platforms, or to proxies before them, are bound to. */
  readonly localAddress?: string | undefined;
  readonly guard: Pick<ProxyGuard, "addresses">;
  readonly onProxyFault?: (kind: ProxyFaultKind) => void;
  /** Milliseconds within which a proxy must reach the platform. */
  readonly proxyMs?: number;
}

/** The route of all connections of a session to its platform. */
export interface Route {
  /** True if the route goes through a proxy. */
  readonly proxied: boolean;
  /**
   * Resolves with a connected socket; the caller must listen on it at once. Rejects with the signal's reason, the system's error or
   * `ProxyFault`: a proxy is never bypassed.
   */
  dial(target: Target, signal: Ending): Promise<Socket>;
}

/** Connects this process to platforms, directly or through proxies. */
export class Egress {
  constructor(private readonly options: EgressOptions) {}

  route(proxy: ProxyAddress | undefined): Route {
    if (proxy === undefined) return { proxied: false, dial: (target, signal) => this.connect({ ...target }, signal) };
    return { proxied: true, dial: (target, signal) => this.throughProxy(proxy, target, signal) };
  }

  private async throughProxy(proxy: ProxyAddress, target: Target, signal: Ending): Promise<Socket> {
    const scope = new AbortScope([signal], this.options.proxyMs ?? proxyMs, new ProxyFault("silent"));
    let socket: Socket | undefined;
    const cut = (): void => void socket?.destroy();
    scope.addEventListener("abort", cut);
    try {
      socket = await this.toProxy(proxy, scope);
      return await openTunnel(proxy, socket, target);
    } catch (error) {
      socket?.destroy();
      signal.throwIfAborted();
      const fault: unknown = scope.aborted ? scope.reason : error;
      if (fault instanceof ProxyFault) this.options.onProxyFault?.(fault.kind);
      throw fault;
    } finally {
      scope.removeEventListener("abort", cut);
      scope.close();
    }
  }

  private async toProxy(proxy: ProxyAddress, signal: Ending): Promise<Socket> {
    // The resolver has no limit of its own that is short enough.
    const addresses = await untilAborted(this.options.guard.addresses(proxy), signal);
    try {
      return await this.connect({ host: proxy.host, port: proxy.port, lookup: to(addresses) }, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw new ProxyFault("unreachable", codeOf(error));
    }
  }

  private connect(target: TcpNetConnectOpts, signal: Ending): Promise<Socket> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const { localAddress } = this.options;
      const bound = localAddress === undefined ? {} : { localAddress, family: isIPv6(localAddress) ? 6 : 4 };
      const socket = connect({ ...target, ...bound, noDelay: true, keepAlive: true, keepAliveInitialDelay: 30_000 });
      const abort = (): void => {
        socket.destroy();
        settle();
        reject(signal.reason);
      };
      const settle = (): void => signal.removeEventListener("abort", abort);
      signal.addEventListener("abort", abort, { once: true });
      const fail = (error: Error): void => {
        settle();
        reject(error);
      };
      socket.on("error", ignore);
      socket.once("error", fail);
      socket.once("connect", () => {
        socket.off("error", fail);
        settle();
        resolve(socket);
      });
    });
  }
}

/** Stays for the socket's life: an error without a listener would end the process. It keeps nothing of the connect. */
function ignore(): void {
  // The one who uses the socket sees its end.
}

/** Less than platforms allow for a connection, so that a silent proxy is distinguished from a silent platform. */
const proxyMs = 8_000;

/** Returns a resolver that returns the addresses that were checked. */
function to(addresses: readonly LookupAddress[]): NonNullable<TcpNetConnectOpts["lookup"]> {
  return (_host, { all }, found) => {
    const [first] = addresses;
    if (all === true || first === undefined) found(null, [...addresses]);
    else found(null, first.address, first.family);
  };
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
