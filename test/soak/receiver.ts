import { createHash, createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { WebhookBody } from "../../shared/contract/telegram/webhook.js";
import { keyOfEvent } from "./event-key.js";

/** What a receiver does with one attempt. `reset`: it took the event and closed the connection without an answer. */
export type Behaviour = "ok" | "error" | "redirect" | "reset" | "hang";

/** One request as it came. */
export interface Arrival {
  readonly id: string;
  readonly body: WebhookBody;
  /** Of the body's bytes. */
  readonly sha256: string;
  readonly token: string;
  /** Unix milliseconds. */
  readonly at: number;
  readonly behaviour: Behaviour;
}

/** `failures`: attempts at this very event that failed before. */
export type Choose = (failures: number) => Behaviour;

/** A customer's server, on several ports: each path is the receiver of one session. It keeps what came, in order, and what was wrong with a request by itself. */
export class Receiver {
  readonly arrivals = new Map<string, Arrival[]>();
  /** Sentences about requests that should not have come like this. */
  readonly faults: string[] = [];
  private servers: { readonly server: Server; readonly port: number }[] = [];
  private readonly failures = new Map<string, number>();
  private readonly heard = new Set<string>();

  constructor(
    private readonly tokens: (name: string) => readonly string[],
    private readonly choose: Choose,
  ) {}

  /** Listens on as many free ports. */
  async start(ports: number): Promise<void> {
    for (let n = 0; n < ports; n++) await this.listen(0);
  }

  url(name: string, port: number): string {
    return `http://127.0.0.1:${this.servers[port % this.servers.length]?.port ?? 0}/${name}`;
  }

  /** Whether a request told of it, however it was answered. */
  heardOf(name: string, key: string): boolean {
    return this.heard.has(`${name}|${key}`);
  }

  /** Nobody listens any more; `up` comes back on the same ports. */
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
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const bytes = Buffer.concat(chunks);
      const body = JSON.parse(bytes.toString("utf8")) as WebhookBody;
      const id = header(request, "webhook-id");
      const token = header(request, "x-token");
      this.inspect(name, request, { id, token, bytes, body });
      const behaviour = this.choose(this.failures.get(id) ?? 0);
      if (behaviour !== "ok") this.failures.set(id, (this.failures.get(id) ?? 0) + 1);
      const arrival: Arrival = { id, body, sha256: createHash("sha256").update(bytes).digest("hex"), token, at, behaviour };
      const known = this.arrivals.get(name);
      this.heard.add(`${name}|${keyOfEvent(body)}`);
      if (known === undefined) this.arrivals.set(name, [arrival]);
      else known.push(arrival);
      answer(behaviour, response);
    } catch (error) {
      // A request that was broken off, as by a shard that died, is none.
      if (!request.complete) return;
      this.faults.push(`${name}: ${String(error)}`);
      response.destroy();
    }
  }

  private inspect(name: string, request: IncomingMessage, { id, token, bytes, body }: { id: string; token: string; bytes: Buffer; body: WebhookBody }): void {
    const fault = (what: string): void => void this.faults.push(`${name}: ${what}`);
    if (request.method !== "POST") fault(`came by ${request.method}`);
    if (id === "" || body.id !== id) fault(`webhook-id ${id} over a body of ${body.id}`);
    if (!this.tokens(name).includes(token)) fault("x-token is neither the present nor the former token, or the path was a redirect's");
    const expected = createHmac("sha256", token).update(`${id}.${header(request, "webhook-timestamp")}.`).update(bytes).digest("base64");
    if (header(request, "webhook-signature") !== `v1,${expected}`) fault("webhook-signature does not fit");
  }
}

function answer(behaviour: Behaviour, response: ServerResponse): void {
  switch (behaviour) {
    case "ok":
      return void response.writeHead(204).end();
    case "error":
      return void response.writeHead(500, { "content-type": "text/plain" }).end("not now");
    case "redirect":
      return void response.writeHead(302, { location: "/followed" }).end();
    case "reset":
      return void response.destroy();
    case "hang":
      return; // The gateway ends it after its 10 seconds.
    default:
      behaviour satisfies never;
  }
}

async function closed(server: Server): Promise<void> {
  const over = once(server, "close");
  server.close();
  server.closeAllConnections();
  await over;
}

function header(request: IncomingMessage, name: string): string {
  const value = request.headers[name];
  return typeof value === "string" ? value : "";
}
