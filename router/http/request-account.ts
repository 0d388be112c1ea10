import type { Span } from "../../shared/process/trace/tracing.js";
import type { ExchangeOwner } from "./exchange-owner.js";
import type { RouteOptions, RoutePath } from "./handler.js";
import type { Identity } from "./identity.js";
import { endRequestSpan, startRequestSpan } from "./request-span.js";
import { refusedCall } from "../../shared/cluster/audit/audit-row.js";
import type { RequestHead } from "./request.js";
import type { HttpResponse } from "./response.js";

/** The route as an exchange needs it. `action`: name in the audit log. `path`: as declared. */
export interface ServedRoute extends Pick<RouteOptions, "name" | "deadlineMs" | "compressible"> {
  readonly action?: string | undefined;
  readonly path?: RoutePath;
}

/** Statuses that count as wrong credentials while the caller is unknown. */
const refusals = [401, 403, 429];

/** Caller of one request, and what metrics, log, audit and traces record about it. */
export class RequestAccount {
  readonly span: Span | undefined;
  identified = false;
  readonly startedAt = performance.now();
  /** Address from which wrong credentials came. */
  private refusedAs: string | undefined;
  private identity: Identity | undefined;
  private callerId: string | undefined;
  private failure: unknown;
  private ended = false;

  constructor(
    private readonly owner: Pick<ExchangeOwner, "audit" | "callerOf" | "failureLines" | "log" | "metrics" | "rejectionLines" | "tracing">,
    private readonly head: RequestHead,
    private readonly route: ServedRoute,
    /** Returns the peer's address until the client has left or has its response. */
    private readonly peer: { address(): string },
  ) {
    this.span = owner.tracing === undefined ? undefined : startRequestSpan(owner.tracing, head, route.path);
  }

  /** Address that the request counts against. Read at most once and only when needed, because the engine allocates a buffer for it. */
  get caller(): string {
    this.callerId ??= this.owner.callerOf(this.peer.address(), this.head.headers);
    return this.callerId;
  }

  /** Fields that name the request in a log line. */
  get named(): { route: string; requestId: string } {
    return { route: this.route.name, requestId: this.head.requestId };
  }

  seconds(): number {
    return (performance.now() - this.startedAt) / 1000;
  }

  identify(identity: Identity | undefined): void {
    this.identified = true;
    this.identity = identity;
    // The peer's address is available only until the response ends.
    if (this.action !== undefined) void this.caller;
  }

  auditAlso(action: string, identity: Identity, status: number): void {
    this.owner.audit?.record({ action, head: this.head, address: this.caller, identity, status });
  }

  /** Judges the response before it is sent, while the peer's address is available. `byHead`: no handler ran. */
  judge({ status }: HttpResponse, byHead: boolean): void {
    if (byHead ? !this.identified && refusals.includes(status) : this.isRefusal(status)) this.refusedAs = this.caller;
  }

  /** Records an unexpected error, for the log line of the request. */
  fail(error: unknown): void {
    this.failure = error;
  }

  /** Records the end of the request, once. `status` is 0 if the client left first. */
  end(status: number): void {
    if (this.ended) return;
    this.ended = true;
    if (this.span !== undefined) endRequestSpan(this.span, status);
    const seconds = this.seconds();
    const { name: route } = this.route;
    this.owner.metrics.requestEnded(route, status, seconds);
    // One literal for every request, field by field: an object that grows after a copy costs microseconds (bench/findings.md).
    const facts = { route, requestId: this.head.requestId, status, seconds };
    const { log, failureLines, rejectionLines } = this.owner;
    if (this.failure !== undefined) log.error({ err: this.failure, ...facts }, "request failed");
    else if (status >= 500 && failureLines.take()) log.warn(facts, "request failed");
    else if (status >= 400 && status < 500 && rejectionLines.take()) log.warn(facts, "request rejected");
    else log.debug(facts, "request ended");
    this.putOnRecord(status);
  }

  private get action(): string | undefined {
    return this.route.action ?? (this.identity?.refused === true ? refusedCall : undefined);
  }

  private putOnRecord(status: number): void {
    const { owner, head, identity, action } = this;
    if (this.refusedAs !== undefined) owner.audit?.refused(this.refusedAs);
    else if (action !== undefined && identity !== undefined) owner.audit?.record({ action, head, address: this.caller, identity, status });
  }

  /** Wrong credentials of a session get the same status as an unknown session: 404, or 429 after many. */
  private isRefusal(status: number): boolean {
    if (this.identified) return false;
    const { headers } = this.head;
    return refusals.includes(status) || (status === 404 && (headers.has("session-id") || headers.has("x-api-key")));
  }
}
