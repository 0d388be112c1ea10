import { createServer, type Server, type ServerResponse } from "node:http";
import type { MetricsRegistry } from "./registry.js";

export interface AdminServerOptions {
  host: string;
  /** 0 picks a free port. */
  port: number;
  registry: MetricsRegistry;
  /** Empty when ready; otherwise why not, one constant phrase each. */
  notReady: () => readonly string[];
}

/**
 * Serves `/healthz` (the event loop runs), `/readyz` (200 if the process can work, else 503 with reasons)
 * and `/metrics` (Prometheus text) on a port of its own, on loopback by default. Other responses are JSON.
 */
export class AdminServer {
  private readonly server: Server;

  constructor(private readonly options: AdminServerOptions) {
    this.server = createServer((request, response) => {
      void this.respond(request.method ?? "", (request.url ?? "").split("?")[0] ?? "", response);
    });
    // Only scrapers come here: a slow one is cut.
    this.server.requestTimeout = 10_000;
    this.server.headersTimeout = 10_000;
    this.server.maxConnections = 64;
  }

  get port(): number {
    const address = this.server.address();
    return typeof address === "object" && address !== null ? address.port : this.options.port;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once("error", reject);
      this.server.listen(this.options.port, this.options.host, () => {
        this.server.off("error", reject);
        resolve();
      });
    });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private async respond(method: string, path: string, response: ServerResponse): Promise<void> {
    if (method !== "GET" && method !== "HEAD") {
      json(response, 405, { statusCode: 405, message: "method not allowed" });
      return;
    }
    switch (path) {
      case "/healthz":
        json(response, 200, { status: "ok" });
        return;
      case "/readyz": {
        const reasons = this.options.notReady();
        json(response, reasons.length === 0 ? 200 : 503, { status: reasons.length === 0 ? "ready" : "not ready", reasons });
        return;
      }
      case "/metrics":
        return this.metrics(response);
      default:
        json(response, 404, { statusCode: 404, message: `Cannot ${method} ${path}` });
    }
  }

  private async metrics(response: ServerResponse): Promise<void> {
    try {
      const text = await this.options.registry.metrics();
      response.writeHead(200, { "content-type": this.options.registry.contentType }).end(text);
    } catch {
      // A collector failed; its own part logs why. A scrape must still end.
      json(response, 500, { statusCode: 500, message: "internal server error" });
    }
  }
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" }).end(JSON.stringify(body));
}
