import type { HttpRequest as EngineRequest, HttpResponse as EngineResponse, us_listen_socket } from "uWebSockets.js";
import { LineBudget } from "../../shared/log/line-budget.js";
import type { Log } from "../../shared/log/logger.js";
import * as ownErrors from "./errors.js";
import { CompactMap } from "../../shared/flow/compact-map.js";
import { pause } from "../../shared/flow/pause.js";
import type { Tracing } from "../../shared/process/trace/tracing.js";
import type { AuditPort } from "./audit-port.js";
import { CallerAddresses, TrustedProxies } from "./caller-addresses.js";
import { Compressor } from "./compressor.js";
import { CorsRules, type OpenPath } from "./cors-rules.js";
import type { Cors } from "./cors.js";
import { engine } from "./engine.js";
import type { ExchangeOwner } from "./exchange-owner.js";
import { Exchange } from "./exchange.js";
import { hasCertainEnd } from "./framing.js";
import type { HttpHandler, Refusal, RouteOptions, RoutePath } from "./handler.js";
import type { HttpMetrics } from "./http-metrics.js";
import { defaultHttpLimits, type HttpLimits } from "./limits.js";
import { Newcomers } from "./newcomers.js";
import { copyHead, type HeaderReader, type HttpMethod, type RequestHead } from "./request.js";
import { jsonError } from "./response.js";
import { RouteTable, servedMethods, servedPaths, type ServedMethod } from "./route-table.js";
import { SlowReaders } from "./slow-readers.js";
import { unrouted } from "./unrouted.js";

export interface HttpAppOptions {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly metrics: HttpMetrics;
  readonly log: Log;
  readonly limits?: Partial<HttpLimits>;
  /** Proxies whose forwarding header is trusted. */
  readonly trustedProxies?: TrustedProxies;
  /** Origins whose pages may read responses; none by default. */
  readonly cors?: Cors | undefined;
  /** Path whose responses the pages of one more origin may read. */
  readonly openPath?: OpenPath;
  /** Receives the audited requests. */
  readonly audit?: AuditPort;
  /** Creates a span for each request. */
  readonly tracing?: Tracing | undefined;
}

/**
 * The HTTP server, the only part that knows the engine. Every route runs through `Exchange`, because the engine ends the process if a
 * handler returns without a response or an abort handler.
 */
export class HttpApp implements ExchangeOwner<Exchange> {
  readonly limits: HttpLimits;
  readonly metrics: HttpMetrics;
  readonly slowReaders: SlowReaders;
  readonly audit: AuditPort | undefined;
  readonly tracing: Tracing | undefined;
  readonly log: Log;
  readonly failureLines: LineBudget;
  readonly rejectionLines: LineBudget;
  readonly cors: CorsRules;
  readonly compressor: Compressor;
  private readonly routes = new RouteTable();
  private leaving = false;
  private stopping = false;
  private readonly app = engine.App();
  private readonly running = new CompactMap<Exchange, true>();
  private readonly newcomers: Newcomers;
  private readonly callers: CallerAddresses;
  private listenSocket: us_listen_socket | undefined;
  private openConnections = 0;

  constructor(private readonly options: HttpAppOptions) {
    this.limits = { ...defaultHttpLimits, ...options.limits };
    this.metrics = options.metrics;
    this.log = options.log;
    this.failureLines = new LineBudget(this.log, "failed requests");
    this.rejectionLines = new LineBudget(this.log, "rejected requests");
    this.audit = options.audit;
    this.tracing = options.tracing;
    this.cors = new CorsRules(options.cors, options.openPath);
    this.compressor = new Compressor(this.limits.compression, (outcome) => this.metrics.compressed(outcome));
    this.slowReaders = new SlowReaders(this.limits.slowReader);
    this.newcomers = new Newcomers(this.limits, () => this.metrics.turnedAway("body"));
    this.callers = new CallerAddresses(options.trustedProxies ?? TrustedProxies.none);
    hideEngineName();
    this.app.filter((response, change) => this.countConnection(response, change));
    // One route matches everything, because the engine closes the connection when no route matches.
    this.app.any("/*", (response, request) => {
      const head = copyHead(request, undefined);
      this.refuses(new Exchange(this, response, head, unroutedRoute), head, () =>
        unrouted(head, this.routes.methodsOf(head.path), this.cors),
      );
    });
  }

  /** Returns the port that the app listens on. */
  get port(): number {
    return this.listenSocket === undefined ? this.options.port : engine.us_socket_local_port(this.listenSocket);
  }

  /** Registers a route. Call it before `listen`. */
  route(method: HttpMethod, path: RoutePath, handler: HttpHandler, options: RouteOptions): void {
    const paramNames = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? "");
    const action = this.audit?.actionOf(options.name);
    const row = { method, path, exact: options.exact === true };
    this.routes.add(row);
    for (const served of servedMethods(method)) {
      const route: Route = { refusal: () => undefined, ...options, action, method: served, path, paramNames, handler };
      const run = (response: EngineResponse, request: EngineRequest): void => this.exchange(response, request, route);
      for (const pattern of servedPaths(row)) this.app[register[served]](pattern, run);
    }
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
   * Makes each response close its connection, so that callers reconnect and a balancer can send them elsewhere. New connections are still
   * accepted.
   */
  leave(): void {
    this.leaving = true;
  }

  /**
   * Stops accepting connections, lets running requests finish (each response closes its connection), and ends the rest after `deadlineMs`.
   */
  async stop(deadlineMs: number): Promise<void> {
    this.leave();
    this.stopping = true;
    if (this.listenSocket !== undefined) engine.us_listen_socket_close(this.listenSocket);
    this.listenSocket = undefined;
    const endsAt = performance.now() + deadlineMs;
    while (this.running.size > 0 && performance.now() < endsAt) await pause(20);
    for (const exchange of [...this.running.keys()]) exchange.cut();
    // The last responses may still be in transit. Idle connections are closed after this short wait.
    const flushedAt = Math.min(endsAt, performance.now() + flushMs);
    while (this.openConnections > 0 && performance.now() < flushedAt) await pause(20);
    this.app.close();
  }

  /** Connections stay open for further requests while at most half of the allowed number is open. */
  get closesConnections(): boolean {
    return this.leaving || this.openConnections > this.limits.connections / 2;
  }

  callerOf(peer: string, headers: HeaderReader): string {
    return this.callers.of(peer, headers);
  }

  takenIn(exchange: Exchange): void {
    this.newcomers.leave(exchange);
    this.metrics.newcomers(this.newcomers.size);
  }

  ended(exchange: Exchange): void {
    this.takenIn(exchange);
    if (this.running.delete(exchange)) this.metrics.requestsInProgress(this.running.size);
  }

  private exchange(response: EngineResponse, request: EngineRequest, route: Route): void {
    const head = copyHead(request, route.method);
    const exchange = new Exchange(this, response, head, route);
    if (this.refuses(exchange, head, route.refusal)) return;
    if (this.running.size >= this.limits.requests && !this.newcomers.makeRoom()) return this.turnAway(exchange, "busy");
    this.running.set(exchange, true);
    this.metrics.requestsInProgress(this.running.size);
    if (route.atHand !== undefined && exchange.respondAtHand(route.atHand)) return;
    const admission = this.newcomers.admit(exchange);
    if (admission !== "welcome") return this.turnAway(exchange, admission);
    this.metrics.newcomers(this.newcomers.size);
    exchange.start(request, route.paramNames, route.handler);
  }

  /** Responds if the head alone decides the request, and returns whether it did. */
  private refuses(exchange: Exchange, head: RequestHead, refusal: Refusal): boolean {
    if (!hasCertainEnd(head)) {
      exchange.refuseAll(uncertainEnd);
      return true;
    }
    return exchange.refusedBy(refusal);
  }

  private turnAway(exchange: Exchange, reason: "busy" | "address"): void {
    this.metrics.turnedAway(reason);
    exchange.refuse(jsonError(503, "server busy", { "Retry-After": "1" }));
  }

  /** The engine reports a closed connection without its address, so connections are counted in total and requests per address. */
  private countConnection(response: EngineResponse, change: number): void {
    this.openConnections += change;
    this.metrics.connections(this.openConnections);
    if (change > 0 && (this.stopping || this.openConnections > this.limits.connections)) response.close();
  }
}

const flushMs = 1_000;

interface Route extends RouteOptions {
  readonly refusal: Refusal;
  readonly action: string | undefined;
  readonly method: ServedMethod;
  readonly path: RoutePath;
  readonly paramNames: readonly string[];
  readonly handler: HttpHandler;
}

const register = { GET: "get", HEAD: "head", POST: "post", PUT: "put", PATCH: "patch", DELETE: "del" } as const;
const unroutedRoute = { name: "not-found", deadlineMs: 0 };
const uncertainEnd = jsonError(400, ownErrors.uncertainEnd().message);

/** Turns off the engine's `uWebSockets` header with the engine's own switch, so that callers cannot identify the engine. */
function hideEngineName(): void {
  engine._cfg?.("999999990007");
}
