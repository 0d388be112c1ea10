import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** One received request. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly id: string;
  /** Status of the response; 0 if the test sent the response itself. */
  status: number;
}

/** A status, or a function that sends the response. */
export type ReceiverReply = number | ((response: ServerResponse, request: ReceivedRequest) => void);

/** Webhook receiver over real HTTP: records every request and responds as the test decides. */
export class WebhookReceiver {
  readonly requests: ReceivedRequest[] = [];
  /** Called for each complete request. Default: 200. */
  respond: (request: ReceivedRequest) => ReceiverReply = () => 200;
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  private constructor(server: (listener: RequestListener) => Server) {
    this.server = server((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        const received: ReceivedRequest = {
          method: request.method ?? "",
          path: request.url ?? "",
          headers: request.headers,
          body: Buffer.concat(parts),
          id: String(request.headers["webhook-id"]),
          status: 0,
        };
        this.requests.push(received);
        const reply = this.respond(received);
        if (typeof reply === "function") return reply(response, received);
        received.status = reply;
        response.writeHead(reply).end();
      });
      request.on("error", () => undefined);
    });
    this.server.on("connection", (socket: Socket) => {
      this.sockets.add(socket);
      socket.on("error", () => undefined).on("close", () => this.sockets.delete(socket));
    });
  }

  /** `port` 0 means any free port. `server` creates another kind of server, such as one with TLS. */
  static async start(port = 0, server: (listener: RequestListener) => Server = createServer): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver(server);
    // On all addresses: the sandbox may have the same port on another one, and a shard refuses webhooks to its platform.
    receiver.server.listen(port, "0.0.0.0");
    await once(receiver.server, "listening");
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  get connections(): number {
    return this.sockets.size;
  }

  /** Requests with a 2xx response, in order of arrival. */
  get taken(): ReceivedRequest[] {
    return this.requests.filter(({ status }) => status >= 200 && status < 300);
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** Returns whether the three headers of Standard Webhooks are valid for the body. */
export function signatureFits({ headers, body }: Pick<ReceivedRequest, "headers" | "body">, token: string): boolean {
  const signed = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.`;
  return headers["webhook-signature"] === `v1,${createHmac("sha256", token).update(signed).update(body).digest("base64")}`;
}
