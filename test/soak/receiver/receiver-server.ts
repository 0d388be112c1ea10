import { createHash, createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as nextRound } from "node:timers/promises";
import type { WebhookBody } from "../../../shared/contract/telegram/webhook-body.js";
import type { Arrival, Behaviour } from "./arrival.js";

/** `failures` is the number of failed attempts of this event. */
export type Choose = (failures: number) => Behaviour;

export interface ReceiverListener {
  arrived(name: string, arrival: Arrival): void;
  /** Reports a request that violates the protocol, as a sentence. */
  fault(sentence: string): void;
}

/** A customer's server on several ports: each path is the receiver of one session. Reports each request, in the order of the responses. */
export class ReceiverServer {
  private servers: { readonly server: Server; readonly port: number }[] = [];
  private readonly failures = new Map<string, number>();

  constructor(
    private readonly choose: Choose,
    private readonly listener: ReceiverListener,
  ) {}

  /** Listens on free ports and returns them. */
  async start(ports: number): Promise<number[]> {
    for (let n = 0; n < ports; n++) await this.listen(0);
    return this.servers.map(({ port }) => port);
  }

  /** Stops listening; `up` listens again on the same ports. */
  async down(): Promise<void> {
    await Promise.all(this.servers.map(({ server }) => closed(server)));
  }

  async up(): Promise<void> {
    const ports = this.servers.map(({ port }) => port);
    this.servers = [];
    for (const port of ports) await this.listen(port);
  }

  private async listen(wanted: number): Promise<void> {
    const server = createServer((request, response) => void this.take(request, response));
    server.listen(wanted, "127.0.0.1");
    await once(server, "listening");
    this.servers.push({ server, port: (server.address() as AddressInfo).port });
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = Date.now();
    const name = (request.url ?? "").slice(1);
    const port = request.socket.remotePort ?? 0;
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const bytes = Buffer.concat(chunks);
      const body = JSON.parse(bytes.toString("utf8")) as WebhookBody;
      const id = header(request, "webhook-id");
      const token = header(request, "x-token");
      this.inspect(name, request, { id, token, bytes, body });
      const gone = await isGone(response);
      const failures = this.failures.get(id) ?? 0;
      const behaviour = this.choose(failures);
      if (behaviour !== "ok" && !gone) this.failures.set(id, failures + 1);
      const brokenOff = gone || !(await answered(behaviour, response));
      this.listener.arrived(name, {
        id,
        body,
        sha256: createHash("sha256").update(bytes).digest("hex"),
        token,
        at,
        behaviour,
        brokenOff,
        port,
      });
    } catch (error) {
      // A request that broke off while it was read, such as from a dead shard, is ignored.
      if (!request.complete || (error as NodeJS.ErrnoException).code === "ECONNRESET") return;
      this.listener.fault(`${name}: ${String(error)}`);
      response.destroy();
    }
  }

  private inspect(
    name: string,
    request: IncomingMessage,
    { id, token, bytes, body }: { id: string; token: string; bytes: Buffer; body: WebhookBody },
  ): void {
    const fault = (what: string): void => this.listener.fault(`${name}: ${what}`);
    if (request.method !== "POST") fault(`came by ${request.method}`);
    if (id === "" || body.id !== id) fault(`webhook-id ${id} over a body of ${body.id}`);
    const expected = createHmac("sha256", token)
      .update(`${id}.${header(request, "webhook-timestamp")}.`)
      .update(bytes)
      .digest("base64");
    if (header(request, "webhook-signature") !== `v1,${expected}`) fault("webhook-signature does not fit");
  }
}

/**
 * Returns whether the sender had closed the connection before its request was read. Node accepts one connection per round of the event
 * loop, so a lagging receiver may read a request after its deadline and after its repeat.
 */
async function isGone(response: ServerResponse): Promise<boolean> {
  await nextRound();
  await nextRound();
  return response.destroyed || response.socket === null || response.socket.destroyed || response.socket.readableEnded;
}

/** Responds as chosen. Returns false if the connection ended before the whole response was sent; a failure on purpose counts as sent. */
async function answered(behaviour: Behaviour, response: ServerResponse): Promise<boolean> {
  switch (behaviour) {
    case "ok":
      return await flushed(response.writeHead(204));
    case "error":
      return await flushed(response.writeHead(500, { "content-type": "text/plain" }), "not now");
    case "redirect":
      return await flushed(response.writeHead(302, { location: "/followed" }));
    case "reset":
      response.destroy();
      return true;
    case "hang":
      return true; // The gateway ends it after 10 s.
    default:
      return behaviour satisfies never;
  }
}

function flushed(response: ServerResponse, text?: string): Promise<boolean> {
  return new Promise((resolve) => {
    response.once("finish", () => resolve(true));
    response.once("close", () => resolve(false));
    response.end(text);
  });
}

async function closed(server: Server): Promise<void> {
  if (!server.listening) return;
  const over = once(server, "close");
  server.close();
  server.closeAllConnections();
  await over;
}

function header(request: IncomingMessage, name: string): string {
  const value = request.headers[name];
  return typeof value === "string" ? value : "";
}
