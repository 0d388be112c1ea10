import type { HttpRequest as EngineRequest, HttpResponse as EngineResponse, us_listen_socket } from "uWebSockets.js";
import { bodyMaxBytes } from "../../shared/limits.js";
import type { Log } from "../../shared/log/logger.js";
import { ChurningMap } from "../../shared/process/churning-map.js";
import { engine } from "./engine.js";
import { Exchange, type ExchangeOwner, type HttpLimits, type HttpMetrics } from "./exchange.js";
import type { HttpHandler, HttpMethod, RouteOptions, RoutePath } from "./handler.js";
import { copyHead, peerAddress, type RequestHead } from "./request.js";
import { closing, jsonError } from "./response.js";
import { SlowReaders } from "./slow-readers.js";

export interface HttpAppOptions {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly metrics: HttpMetrics;
  readonly log: Log;
  readonly limits?: Partial<HttpLimits>;
}

/** Reliability sheet 2.8 and 2.11. Per address there is room for a balancer's share: addresses behind one look alike. */
export const defaultHttpLimits: HttpLimits = {
  connections: 50_000,
  requests: 5_000,
  requestsPerAddress: 5_000,
  bodyBytes: bodyMaxBytes,
  slowReader: { bytesPerSecond: 8 * 1024, windowMs: 60_000 },
};

/**
 * The HTTP server: the only place that knows the engine. Every route goes through one wrapper (`Exchange`), because the engine
 * ends the process when a handler returns without an answer or an abort handler (reliability sheet F14).
 *
 * What the engine answers by itself is not JSON: unparsable requests (400, 431, 505). It closes a connection on which a second
 * request arrives before the first was answered (no pipelining, F15).
 */
export class HttpApp implements ExchangeOwner {
  readonly limits: HttpLimits;
  readonly metrics: HttpMetrics;
  readonly slowReaders: SlowReaders;
  readonly log: Log;
  stopping = false;

  private readonly app = engine.App();
  private readonly running = new ChurningMap<Exchange, true>();
  /** Requests in progress by the peer's address; absent where that limit cannot be the first to be met. */
  private readonly perAddress: Map<string, number> | undefined;
  private listenSocket: us_listen_socket | undefined;
  private openConnections = 0;

  constructor(private readonly options: HttpAppOptions) {
    this.limits = { ...defaultHttpLimits, ...options.limits };
    this.metrics = options.metrics;
    this.log = options.log;
    this.slowReaders = new SlowReaders(this.limits.slowReader);
    // No address can have more than all together.
    if (this.limits.requestsPerAddress < this.limits.requests) this.perAddress = new Map();
    hideEngineName();
    this.app.filter((response, change) => this.countConnection(response, change));
    // The engine closes the connection when no route matches: one route matches everything.
    this.app.any("/*", (response, request) => this.exchange(response, request, notFoundRoute));
  }

  /** The port that the app listens on. */
  get port(): number {
    return this.listenSocket === undefined ? this.options.port : engine.us_socket_local_port(this.listenSocket);
  }

  /** To be called before `listen`. */
  route(method: HttpMethod, path: RoutePath, handler: HttpHandler, options: RouteOptions): void {
    const paramNames = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? "");
    const route: Route = { ...options, method, paramNames, handler };
    const run = (response: EngineResponse, request: EngineRequest): void => this.exchange(response, request, route);
    const register = { GET: "get", HEAD: "head", POST: "post", PUT: "put", DELETE: "del" } as const;
    this.app[register[method]](path, run);
  }

  async listen(): Promise<void> {
    const { host, port } = this.options;
    await new Promise<void>((resolve, reject) => {
      this.app.listen(host, port, (socket) => {
        if (socket === false) return reject(new Error(`cannot listen on ${host} port ${port}`));
        this.listenSocket = socket;
        resolve();
      });
    });
  }

  /**
   * Accepts no more connections, lets running requests finish (each answer closes its connection), and ends what is left
   * after `deadlineMs`.
   */
  async stop(deadlineMs: number): Promise<void> {
    this.stopping = true;
    if (this.listenSocket !== undefined) engine.us_listen_socket_close(this.listenSocket);
    this.listenSocket = undefined;
    const endsAt = performance.now() + deadlineMs;
    while (this.running.size > 0 && performance.now() < endsAt) await pause(20);
    for (const exchange of [...this.running.keys()]) exchange.cut();
    // Last answers may still be on their way out; idle connections are not worth waiting for.
    const flushedAt = Math.min(endsAt, performance.now() + flushMs);
    while (this.openConnections > 0 && performance.now() < flushedAt) await pause(20);
    this.app.close();
  }

  /** A request is over. */
  ended(exchange: Exchange): void {
    this.running.delete(exchange);
    this.metrics.requestsInProgress(this.running.size);
    if (exchange.address === undefined || this.perAddress === undefined) return;
    const left = (this.perAddress.get(exchange.address) ?? 1) - 1;
    if (left > 0) this.perAddress.set(exchange.address, left);
    else this.perAddress.delete(exchange.address);
  }

  private exchange(response: EngineResponse, request: EngineRequest, route: Route): void {
    const head = copyHead(request, route.method);
    const exchange = new Exchange(this, response, head, route, this.perAddress && peerAddress(response));
    const refusal = this.refusalOf(exchange, head);
    this.running.set(exchange, true);
    this.metrics.requestsInProgress(this.running.size);
    if (refusal === undefined && route.atHand !== undefined && exchange.answerAtHand(route.atHand)) return;
    exchange.start(request, route.paramNames, refusal ?? route.handler);
  }

  /** Counts the request by its address. `undefined`: it is welcome. */
  private refusalOf({ address }: Exchange, head: RequestHead): HttpHandler | undefined {
    let busy = this.running.size >= this.limits.requests;
    if (address !== undefined && this.perAddress !== undefined) {
      const sameAddress = (this.perAddress.get(address) ?? 0) + 1;
      this.perAddress.set(address, sameAddress);
      busy ||= sameAddress > this.limits.requestsPerAddress;
    }
    if (busy) return tooBusy;
    return isUnambiguous(head) ? undefined : ambiguous;
  }

  /** The engine tells of a closed connection without its address, so connections are counted as a whole and requests by address. */
  private countConnection(response: EngineResponse, change: number): void {
    this.openConnections += change;
    this.metrics.connections(this.openConnections);
    if (change > 0 && (this.stopping || this.openConnections > this.limits.connections)) response.close();
  }
}

const flushMs = 1_000;

interface Route extends RouteOptions {
  /** `undefined`: any. */
  readonly method: HttpMethod | undefined;
  readonly paramNames: readonly string[];
  readonly handler: HttpHandler;
}

const notFound: HttpHandler = (request) => Promise.resolve(jsonError(404, `Cannot ${request.method} ${request.path}`));
const notFoundRoute: Route = { name: "not-found", deadlineMs: 15_000, method: undefined, paramNames: [], handler: notFound };
const ambiguous: HttpHandler = () => Promise.resolve(closing(jsonError(400, "invalid host, content-length or transfer-encoding header")));
const tooBusy: HttpHandler = () => Promise.resolve(jsonError(503, "server busy", { "Retry-After": "1" }));

/** Two hosts or two lengths are how requests are smuggled past a proxy (RFC 9112, 3.2 and 6.3); this build of the engine lets them through. */
function isUnambiguous({ headers }: RequestHead): boolean {
  return headers.get("host")?.length === 1 && (headers.get("content-length")?.length ?? 0) <= 1 && (headers.get("transfer-encoding")?.length ?? 0) <= 1;
}

/** The engine's own switch for its `uWebSockets` header (checklist S19). */
function hideEngineName(): void {
  engine._cfg?.("999999990007");
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
