import { once } from "node:events";
import { createServer as createHttpServer, type IncomingMessage, type Server as HttpServer } from "node:http";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

export interface TestProxyOptions {
  readonly kind: "socks5" | "http";
  /** Absent: no login is required. */
  readonly login?: { readonly user: string; readonly password: string };
  /** `host:port` by requested name and port: only the proxy can resolve these names. */
  readonly names?: Readonly<Record<string, string>>;
  /** Accepts connections and sends nothing. */
  readonly mute?: boolean;
  /** Source address on loopback for its connections. */
  readonly from?: string;
  /** Delay in ms between the client's disconnect and the proxy's. */
  readonly lingerMs?: number;
}

/** Source address of the proxies, by which servers recognize their connections. */
export const proxyAddress = "127.0.0.9";

/** Proxy on loopback with a source address of its own, which records its clients' targets. */
export class TestProxy {
  /** Requested targets, in order. */
  readonly targets: string[] = [];
  port = 0;
  private readonly server: Server | HttpServer;
  private readonly sockets = new Set<Socket>();
  private readonly clients = new Set<Socket>();

  private constructor(private readonly options: TestProxyOptions) {
    const { kind, mute = false } = options;
    this.server = kind === "http" && !mute ? this.httpServer() : createServer((socket) => this.take(socket));
    if (kind === "http") this.server.on("connection", (socket: Socket) => this.keep(socket));
    this.server.on("connection", (socket: Socket) => {
      this.clients.add(socket);
      socket.once("close", () => this.clients.delete(socket));
    });
  }

  static async start(options: TestProxyOptions, port = 0): Promise<TestProxy> {
    const proxy = new TestProxy(options);
    proxy.server.listen(port, "127.0.0.1");
    await once(proxy.server, "listening");
    proxy.port = (proxy.server.address() as AddressInfo).port;
    return proxy;
  }

  /** Number of open client connections. */
  get open(): number {
    return this.clients.size;
  }

  /** `host:port`. */
  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** URL for a session's or a tenant's setting. */
  get url(): string {
    const { kind, login } = this.options;
    return `${kind}://${login === undefined ? "" : `${login.user}:${login.password}@`}${this.host}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    if (!this.server.listening) return;
    const closed = once(this.server, "close");
    this.server.close();
    await closed;
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => this.sockets.delete(socket));
  }

  private take(socket: Socket): void {
    this.keep(socket);
    if (this.options.mute !== true) void this.socks(socket).catch(() => socket.destroy());
  }

  private httpServer(): HttpServer {
    return createHttpServer().on("connect", (request: IncomingMessage, socket: Socket) => {
      const { login } = this.options;
      const expected = `Basic ${Buffer.from(`${login?.user}:${login?.password}`).toString("base64")}`;
      if (login !== undefined && request.headers["proxy-authorization"] !== expected)
        return void socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
      this.goOn(socket, request.url ?? "").then(
        (to) => {
          socket.write("HTTP/1.1 200 OK\r\n\r\n");
          this.join(socket, to);
        },
        () => socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n"),
      );
    });
  }

  /** RFC 1928 and 1929, for a single command. */
  private async socks(socket: Socket): Promise<void> {
    const { login } = this.options;
    const greeting = await next(socket);
    const method = login === undefined ? 0 : 2;
    if (!greeting.subarray(2).includes(method)) return void socket.end(Buffer.from([5, 0xff]));
    socket.write(Buffer.from([5, method]));
    if (login !== undefined) {
      const given = await next(socket);
      const userEnd = 2 + (given[1] ?? 0);
      const [user, password] = [given.subarray(2, userEnd).toString(), given.subarray(userEnd + 1).toString()];
      const right = user === login.user && password === login.password;
      socket.write(Buffer.from([1, right ? 0 : 1]));
      if (!right) return void socket.end();
    }
    const request = await next(socket);
    const isName = request[3] === 3;
    const addressEnd = isName ? 5 + (request[4] ?? 0) : 8;
    const host = isName ? request.subarray(5, addressEnd).toString() : [...request.subarray(4, 8)].join(".");
    const replyOf = (status: number): Buffer => Buffer.from([5, status, 0, 1, 0, 0, 0, 0, 0, 0]);
    try {
      const to = await this.goOn(socket, `${host}:${request.readUInt16BE(addressEnd)}`);
      socket.write(replyOf(0));
      this.join(socket, to);
    } catch {
      socket.end(replyOf(4));
    }
  }

  private async goOn(from: Socket, target: string): Promise<Socket> {
    this.targets.push(target);
    const found = this.options.names?.[target] ?? target;
    const colon = found.lastIndexOf(":");
    const to = connect({
      host: found.slice(0, colon),
      port: Number(found.slice(colon + 1)),
      localAddress: this.options.from ?? proxyAddress,
    });
    this.keep(to);
    from.once("close", () => this.leave(to));
    await once(to, "connect");
    return to;
  }

  private join(client: Socket, platform: Socket): void {
    // With a delay, the client's end does not close the onward connection at once.
    client.pipe(platform, { end: this.options.lingerMs === undefined });
    platform.pipe(client);
    platform.once("close", () => client.destroy());
  }

  private leave(to: Socket): void {
    const { lingerMs } = this.options;
    if (lingerMs === undefined) to.destroy();
    else setTimeout(() => to.destroy(), lingerMs);
  }
}

async function next(socket: Socket): Promise<Buffer> {
  const [bytes] = (await once(socket, "data")) as [Buffer];
  return bytes;
}
