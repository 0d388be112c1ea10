import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** One request as it came. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly id: string;
  /** Status that it was answered with; 0 when the answer was the test's own affair. */
  status: number;
}

/** A status to answer with, or a function that answers by itself. */
export type ReceiverAnswer = number | ((response: ServerResponse, request: ReceivedRequest) => void);

/** A webhook's receiver over real HTTP: takes down every request, answers as told. */
export class WebhookReceiver {
  readonly requests: ReceivedRequest[] = [];
  /** Called for each request, whole body included. Default: 200. */
  answer: (request: ReceivedRequest) => ReceiverAnswer = () => 200;
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
        const answer = this.answer(received);
        if (typeof answer === "function") return answer(response, received);
        received.status = answer;
        response.writeHead(answer).end();
      });
      request.on("error", () => undefined);
    });
    this.server.on("connection", (socket: Socket) => {
      this.sockets.add(socket);
      socket.on("error", () => undefined).on("close", () => this.sockets.delete(socket));
    });
  }

  /** `port` 0: any free one. `server` makes another kind of it, such as one with TLS. */
  static async start(port = 0, server: (listener: RequestListener) => Server = createServer): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver(server);
    receiver.server.listen(port, "127.0.0.1");
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

  /** Requests answered with 2xx, in the order in which they came. */
  get taken(): ReceivedRequest[] {
    return this.requests.filter(({ status }) => status >= 200 && status < 300);
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** What a receiver does with the three headers of Standard Webhooks. */
export function signatureFits({ headers, body }: Pick<ReceivedRequest, "headers" | "body">, token: string): boolean {
  const signed = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.`;
  return headers["webhook-signature"] === `v1,${createHmac("sha256", token).update(signed).update(body).digest("base64")}`;
}
