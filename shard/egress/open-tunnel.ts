import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { SocksClient } from "socks";
import type { ProxyAddress } from "../../shared/tenant/proxy-address.js";
import { ProxyFault, type ProxyFaultKind } from "./proxy-fault.js";

/** A server as it is named to a proxy: a name stays a name, and the proxy resolves it. */
export interface Target {
  readonly host: string;
  readonly port: number;
}

/**
 * Lets the proxy that `socket` is connected to connect to `target`. Resolves with the socket to the target. Rejects with `ProxyFault`,
 * also when the socket is destroyed: the caller bounds the time.
 */
export function openTunnel(proxy: ProxyAddress, socket: Socket, target: Target): Promise<Socket> {
  return proxy.kind === "socks5" ? throughSocks(proxy, socket, target) : throughHttp(proxy, socket, target);
}

async function throughSocks({ user, password, host, port }: ProxyAddress, socket: Socket, target: Target): Promise<Socket> {
  const login = user === "" && password === "" ? {} : { userId: user, password };
  try {
    await SocksClient.createConnection({
      proxy: { host, port, type: 5, ...login },
      command: "connect",
      destination: { host: target.host, port: target.port },
      existing_socket: socket,
      timeout: longestMs,
    });
    return socket;
  } catch (error) {
    throw new ProxyFault(socksFault(error instanceof Error ? error.message : ""));
  }
}

/** The library has no error codes, only messages. */
export function socksFault(message: string): ProxyFaultKind {
  if (/authentication failed|no accepted authentication|NotAllowed/i.test(message)) return "refused";
  return /rejected connection/i.test(message) ? "no-route" : "unreachable";
}

async function throughHttp({ user, password }: ProxyAddress, socket: Socket, { host, port }: Target): Promise<Socket> {
  const authority = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const login = Buffer.from(`${user}:${password}`).toString("base64");
  const connecting = request({
    method: "CONNECT",
    path: authority,
    headers: { host: authority, ...(user === "" && password === "" ? {} : { "proxy-authorization": `Basic ${login}` }) },
    createConnection: () => socket,
  });
  connecting.end();
  const [response, tunnel, early] = (await once(connecting, "connect").catch(() => {
    throw new ProxyFault("unreachable");
  })) as [IncomingMessage, Socket, Buffer];
  const fault = httpFault(response.statusCode ?? 0);
  if (fault !== undefined) throw new ProxyFault(fault);
  if (early.length > 0) tunnel.unshift(early);
  return tunnel;
}

/**
 * Returns `undefined` when the tunnel is open. Some proxies send 401 for 407; 403 means a login or an address that may not use the proxy.
 */
export function httpFault(status: number): ProxyFaultKind | undefined {
  if (status >= 200 && status < 300) return undefined;
  return status === 401 || status === 403 || status === 407 ? "refused" : "no-route";
}

/** The library requires a timeout; the caller's own ends the attempt earlier. */
const longestMs = 2 ** 31 - 1;
