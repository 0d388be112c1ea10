import type { Span } from "../../shared/process/trace/tracing.js";
import type { ExchangeOwner } from "./exchange-owner.js";
import type { RouteOptions, RoutePath } from "./handler.js";
import type { Identity } from "./identity.js";
import { endRequestSpan, startRequestSpan } from "./request-span.js";
import { refusedCall } from "../../shared/cluster/audit/audit-row.js";
import type { RequestHead } from "./request.js";
import type { HttpAnswer } from "./response.js";

/** As far as an exchange needs it. `action`: under which name its requests are on record. `path`: as it was declared. */
export interface ServedRoute extends Pick<RouteOptions, "name" | "deadlineMs" | "compressible"> {
  readonly action?: string | undefined;
  readonly path?: RoutePath;
}

/** Statuses of wrong credentials, while nobody knows yet whom a request is from. */
const refusals = [401, 403, 429];

/** Whom one request is from, and what is told of it: in metrics, log, audit and traces. */
export class RequestAccount {
  readonly span: Span | undefined;
  identified = false;
  readonly startedAt = performance.now();
  /** Whose credentials were not right. */
  private refusedAs: string | undefined;
  private identity: Identity | undefined;
  private knownCaller: string | undefined;
  private told = false;

  constructor(
    private readonly owner: Pick<ExchangeOwner, "audit" | "callerOf" | "failureLines" | "log" | "metrics" | "rejectionLines" | "tracing">,
    private readonly head: RequestHead,
    private readonly route: ServedRoute,
    /** Knows the peer's address until it has left or has its answer. */
    private readonly peer: { address(): string },
  ) {
    this.span = owner.tracing === undefined ? undefined : startRequestSpan(owner.tracing, head, route.path);
  }

  /** Whose share of the limits it takes. Asked for once at the most: few need it, and the engine makes a buffer for it. */
  get caller(): string {
    this.knownCaller ??= this.owner.callerOf(this.peer.address(), this.head.headers);
    return this.knownCaller;
  }

  /** Of which request a line in the log speaks. */
  get named(): { route: string; requestId: string } {
    return { route: this.route.name, requestId: this.head.requestId };
  }

  seconds(): number {
    return (performance.now() - this.startedAt) / 1000;
  }

  identify(identity: Identity | undefined): void {
    this.identified = true;
    this.identity = identity;
    // The peer can be asked for as long as it has no answer.
    if (this.action !== undefined) void this.caller;
  }

  auditAlso(action: string, identity: Identity, status: number): void {
    this.owner.audit?.record({ action, head: this.head, address: this.caller, identity, status });
  }

  /** Before the answer goes out: then the peer can still be asked for. `byHead`: no handler was asked. */
  judge({ status }: HttpAnswer, byHead: boolean): void {
    if (byHead ? !this.identified && refusals.includes(status) : this.isRefusal(status)) this.refusedAs = this.caller;
  }

  /** Once; `status` is 0 when the client left first. */
  tell(status: number): void {
    if (this.told) return;
    this.told = true;
    if (this.span !== undefined) endRequestSpan(this.span, status);
    const seconds = this.seconds();
    const { name: route } = this.route;
    this.owner.metrics.requestEnded(route, status, seconds);
    // Field by field: it is made for every request, and an object that is copied and then grows costs microseconds (bench/findings.md).
    const { log, failureLines, rejectionLines } = this.owner;
    if (status >= 500 && failureLines.take()) log.warn({ route, requestId: this.head.requestId, status, seconds }, "request failed");
    else if (status >= 400 && status < 500 && rejectionLines.take())
      log.warn({ route, requestId: this.head.requestId, status, seconds }, "request rejected");
    else log.debug({ route, requestId: this.head.requestId, status, seconds }, "request ended");
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

  /** A session's are not told from an unknown session: both are 404, or 429 when there were many. */
  private isRefusal(status: number): boolean {
    if (this.identified) return false;
    const { headers } = this.head;
    return refusals.includes(status) || (status === 404 && (headers.has("session-id") || headers.has("x-api-key")));
  }
}
