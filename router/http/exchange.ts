import type { HttpRequest as EngineRequest, HttpResponse as EngineResponse } from "uWebSockets.js";
import type { Log } from "../../shared/log/logger.js";
import type { Span, Tracing } from "../../shared/trace/tracing.js";
import { bodyTooLate } from "../errors.js";
import type { AuditPort } from "./audit-port.js";
import type { Identity } from "./identity.js";
import { BodyReader } from "./body-reader.js";
import { writeBody, type StreamAnswer } from "./body-writer.js";
import { BytesSender, type BytesAnswer } from "./bytes-sender.js";
import type { Compressor } from "./compressor.js";
import type { Cors } from "./cors.js";
import type { AnswerAtHand, AtHand, HttpHandler, RouteOptions, RoutePath } from "./handler.js";
import type { HttpMetrics } from "./http-metrics.js";
import type { HttpLimits } from "./limits.js";
import { writeOpenEnded, type OpenEndedAnswer } from "./open-ended-writer.js";
import type { Newcomer } from "./newcomers.js";
import { endRequestSpan, startRequestSpan } from "./request-span.js";
import { copyWhole, peerAddress, type HeaderReader, type HttpRequest, type RequestHead } from "./request.js";
import {
  jsonError,
  writeLast,
  writeWhole,
  type Asker,
  type HttpAnswer,
  type JsonAnswer,
  type PreparedHeaders,
  type WholeAnswer,
} from "./response.js";
import type { SlowReaders } from "./slow-readers.js";
import { discard, withoutBody } from "./without-body.js";

/** What an exchange needs of the app. */
export interface ExchangeOwner {
  readonly limits: HttpLimits;
  readonly metrics: HttpMetrics;
  readonly slowReaders: SlowReaders;
  readonly audit: Pick<AuditPort, "record" | "refused"> | undefined;
  readonly tracing: Tracing | undefined;
  readonly log: Log;
  /** Answers end their connections: the process stops, or has many open. */
  readonly closesConnections: boolean;
  readonly compressor: Pick<Compressor, "compress">;
  /** Which pages may read answers. */
  readonly cors: Pick<Cors, "linesFor"> | undefined;
  /** Whose share a request takes. */
  callerOf(peer: string, headers: HeaderReader): string;
  /** Its caller is known and its body is in, or its client has left. */
  settled(exchange: Exchange): void;
  /** The response is over. Called once. */
  ended(exchange: Exchange): void;
}

/** Statuses of wrong credentials, while nobody knows yet whom a request is from. */
const refusals = [401, 403, 429];

/**
 * One request and its answer. Rules of the engine that live here and nowhere else: everything of the request is copied and the abort
 * handler stands before the first `await`; a response is not touched after it ended or its client left; every write is corked.
 */
export class Exchange implements Newcomer, Asker {
  private readonly startedAt = performance.now();
  private bodyReader: BodyReader | undefined;
  private waitsForBody = false;
  private identified = false;
  /** Whose credentials were not right. */
  private refusedAs: string | undefined;
  private identity: Identity | undefined;
  private knownCaller: string | undefined;
  /** Ends the handler's work. Made when a handler is asked: an answer at hand needs none. */
  private work: AbortController | undefined;
  /** Ends the wait for the handler. */
  private giveUp: ((reason: Error) => void) | undefined;
  private sender: BytesSender | undefined;
  private clientGone = false;
  private ended = false;
  private readonly span: Span | undefined;
  /** Its answer stands in metrics, log and audit. */
  private told = false;

  constructor(
    private readonly owner: ExchangeOwner,
    private readonly response: EngineResponse,
    private readonly head: RequestHead,
    /** `action`: under which name its requests are on record. `path`: as it was declared. */
    private readonly route: Pick<RouteOptions, "name" | "deadlineMs" | "compressible"> & {
      readonly action?: string | undefined;
      readonly path?: RoutePath;
    },
  ) {
    this.span = owner.tracing === undefined ? undefined : startRequestSpan(owner.tracing, head, route.path);
  }

  /** Asked for once at the most: few need it, and the engine makes a buffer for it. */
  get caller(): string {
    this.knownCaller ??= this.owner.callerOf(this.address(), this.head.headers);
    return this.knownCaller;
  }

  get requestId(): string {
    return this.head.requestId;
  }

  get lines(): PreparedHeaders | undefined {
    return this.owner.cors?.linesFor(this.head.headers);
  }

  /** Of the peer; empty once it has left or has its answer. */
  address(): string {
    return this.clientGone || this.ended ? "" : peerAddress(this.response);
  }

  giveUpBody(): boolean {
    if (!this.waitsForBody || this.bodyReader?.over !== false) return false;
    this.bodyReader.giveUp(bodyTooLate());
    return true;
  }

  /** Answers without a handler, in this turn: what may come of a body is not waited for, and the engine drops it. */
  refuse(answer: WholeAnswer): void {
    if (refusals.includes(answer.status)) this.refusedAs = this.caller;
    this.writeWhole(answer, this.owner.closesConnections);
    this.over(answer.status);
  }

  /** As `refuse`; nothing that follows on the connection is looked at. */
  refuseAll(answer: JsonAnswer): void {
    this.ended = true;
    writeLast(this.response, answer, this);
    this.over(answer.status);
  }

  /** Answers out of memory, in this turn and with as few calls into the engine as can be. False, and nothing has happened, where `start` has to do it. */
  answerAtHand(atHand: AtHand): boolean {
    if (hasBody(this.head)) return false;
    const found = this.lookAtHand(atHand);
    if (found === undefined) return false;
    const answer = this.isHead && found.kind === "bytes" ? withoutBody(found) : found;
    if (answer.kind !== "bytes") {
      this.refuse(answer);
    } else if (!this.send(answer, () => this.over(answer.status))) {
      this.response.onAborted(() => this.clientLeft());
    }
    return true;
  }

  /** Runs the handler. Never throws. */
  start(request: EngineRequest, paramNames: readonly string[], handler: HttpHandler): void {
    this.response.onAborted(() => this.clientLeft());
    const copy = copyWhole(this.head, request, paramNames, {
      address: () => this.address(),
      identified: (identity) => {
        this.identified = true;
        this.identity = identity;
        // The peer can be asked for as long as it has no answer.
        if (this.route.action !== undefined) void this.caller;
        this.mayBeSettled();
      },
      alsoDid: (action, identity, status) => {
        this.owner.audit?.record({ action, head: this.head, address: this.caller, identity, status });
      },
      body: () => {
        this.waitsForBody = true;
        return this.bodyReader?.body ?? Promise.resolve(Buffer.alloc(0));
      },
    });
    if (hasBody(copy)) {
      const declared = Number(copy.headers.get("content-length")?.[0] ?? 0);
      this.bodyReader = new BodyReader(this.response, declared, this.owner.limits.bodyBytes);
      void this.bodyReader.settled.then(() => this.mayBeSettled());
    }
    if (this.span === undefined) void this.run(handler, copy);
    else void this.span.run(() => this.run(handler, copy));
  }

  /** Ends the exchange now: the connection is closed. */
  cut(): void {
    if (!this.ended && !this.clientGone) this.response.close();
  }

  private clientLeft(): void {
    // The engine also reports connections that close after their response; then nobody waits any more.
    this.clientGone = true;
    this.owner.settled(this);
    this.endWork("client closed the connection");
    this.bodyReader?.giveUp(new Error("client closed the connection"));
    this.sender?.abort();
  }

  private mayBeSettled(): void {
    if (this.identified && this.bodyReader?.complete !== false) this.owner.settled(this);
  }

  private endWork(why: string): void {
    const reason = new Error(why);
    this.work?.abort(reason);
    this.giveUp?.(reason);
  }

  /** A failure here is a bug of ours, but the handler can still answer. */
  private lookAtHand(atHand: AtHand): AnswerAtHand | undefined {
    try {
      return atHand(this.head);
    } catch (error) {
      this.owner.log.error({ err: error, ...this.named }, "answer at hand failed");
      return undefined;
    }
  }

  /** Runs the handler and writes its answer. Never rejects; resolves when the response is over. */
  private async run(handler: HttpHandler, request: HttpRequest): Promise<void> {
    const work = new AbortController();
    this.work = work;
    const deadline = setTimeout(() => this.endWork("deadline of the request passed"), this.route.deadlineMs);
    let status = 0;
    try {
      const plain = await this.answerOf(handler, request, work.signal);
      clearTimeout(deadline);
      const isPacked = this.route.compressible === true && plain.kind === "json" && !this.clientGone;
      const answer = isPacked ? await this.owner.compressor.compress(plain, this.head.headers) : plain;
      status = await this.write(answer, work.signal);
    } catch (error) {
      this.owner.log.error({ err: error, ...this.named }, "answer could not be written");
      this.cut();
    } finally {
      clearTimeout(deadline);
      this.over(status);
    }
  }

  private over(status: number): void {
    this.ended = true;
    if (!this.told) this.tell(status);
    this.owner.ended(this);
  }

  private tell(status: number): void {
    this.told = true;
    if (this.span !== undefined) endRequestSpan(this.span, status);
    const seconds = this.seconds();
    const { name: route } = this.route;
    this.owner.metrics.requestEnded(route, status, seconds);
    // Field by field: it is made for every request, and an object that is copied and then grows costs microseconds (bench/findings.md).
    this.owner.log.debug({ route, requestId: this.head.requestId, status, seconds }, "request ended");
    this.putOnRecord(status);
  }

  private putOnRecord(status: number): void {
    const { owner, head, identity } = this;
    const { action } = this.route;
    if (this.refusedAs !== undefined) owner.audit?.refused(this.refusedAs);
    else if (action !== undefined && identity !== undefined) owner.audit?.record({ action, head, address: this.caller, identity, status });
  }

  /** A session's are not told from an unknown session: both are 404, or 429 when there were many. */
  private refusesCredentials({ status }: HttpAnswer): boolean {
    if (this.identified || this.clientGone) return false;
    const { headers } = this.head;
    return refusals.includes(status) || (status === 404 && (headers.has("session-id") || headers.has("x-api-key")));
  }

  /** Of which request a line in the log speaks. */
  private get named(): { route: string; requestId: string } {
    return { route: this.route.name, requestId: this.head.requestId };
  }

  private seconds(): number {
    return (performance.now() - this.startedAt) / 1000;
  }

  /** The handler's answer, or 500 when it fails or outlives its deadline. */
  private async answerOf(handler: HttpHandler, request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    const ends = new Promise<never>((_, reject) => {
      this.giveUp = reject;
    });
    // In a function of its own, so that a handler that throws at once counts as one that rejects.
    const answer = (async () => await handler(request, signal))();
    try {
      return await Promise.race([answer, ends]);
    } catch (error) {
      // An answer that comes too late may hold a stream, which holds chunks.
      answer.then(discard).catch(() => {});
      if (!this.clientGone) this.owner.log.error({ err: error, ...this.named }, "request failed");
      return jsonError(500, "internal server error");
    }
  }

  /** Resolves with the status that was sent, 0 when the client left. */
  private async write(answer: HttpAnswer, signal: AbortSignal): Promise<number> {
    if (this.refusesCredentials(answer)) this.refusedAs = this.caller;
    const close = this.bodyReader === undefined ? this.owner.closesConnections : await this.closesConnection(this.bodyReader);
    if (this.clientGone) {
      discard(answer);
      return 0;
    }
    if (this.isHead && answer.kind !== "json" && answer.kind !== "empty") {
      const empty = withoutBody(answer);
      this.writeWhole(empty, close);
      return empty.status;
    }
    switch (answer.kind) {
      case "json":
      case "empty":
        this.writeWhole(answer, close);
        break;
      case "bytes":
        await new Promise<void>((resolve) => void this.send(answer, resolve));
        break;
      case "stream":
        await this.stream(answer, signal);
        break;
      case "open-ended":
        await this.openEnded(answer, close, signal);
        break;
      default:
        return answer satisfies never;
    }
    return answer.status;
  }

  private get isHead(): boolean {
    return this.head.method === "HEAD";
  }

  private writeWhole(answer: WholeAnswer, close: boolean): void {
    this.ended = true;
    writeWhole(this.response, answer, this, !this.isHead, close);
  }

  /** False while bytes wait for room in the socket. */
  private send(answer: BytesAnswer, onEnd: () => void): boolean {
    const { metrics } = this.owner;
    const { isMedia } = answer;
    if (isMedia) metrics.streamStarted(this.seconds());
    this.sender = new BytesSender(this.response, answer, this, this.owner.slowReaders, (end, taken) => {
      this.ended = true;
      if (isMedia) metrics.streamEnded(end, answer.bytes.length, taken);
      answer.onEnd?.(taken);
      onEnd();
    });
    return this.sender.start();
  }

  private async stream(answer: StreamAnswer, signal: AbortSignal): Promise<void> {
    const { slowReaders, metrics, log } = this.owner;
    if (answer.length === 0) {
      this.writeWhole(withoutBody(answer), false);
      return;
    }
    metrics.streamStarted(this.seconds());
    const end = await writeBody(this.response, answer, this, slowReaders, signal);
    // The deadline can pass in the very turn in which the answer comes: then the signal has ended although the client is there.
    if (end.kind === "aborted") this.cut();
    this.ended = true;
    metrics.streamEnded(end.kind, answer.length, end.taken);
    if (end.kind === "failed") log.warn({ err: end.error, ...this.named }, "stream ended early");
  }

  /** It may last for days: what is to be said of the request is said as its head goes out. */
  private async openEnded(answer: OpenEndedAnswer, close: boolean, signal: AbortSignal): Promise<void> {
    this.tell(answer.status);
    const end = await writeOpenEnded(this.response, answer, this, () => close || this.owner.closesConnections, signal);
    if (end.kind === "aborted") this.cut();
    this.ended = true;
    if (end.kind === "failed") this.owner.log.warn({ err: end.error, ...this.named }, "stream ended early");
  }

  /** Lets a body that nobody read come in first, for a bounded time; what is still missing then costs the connection. */
  private async closesConnection(bodyReader: BodyReader): Promise<boolean> {
    this.waitsForBody = true;
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, unreadBodyMs);
    });
    if (!bodyReader.complete) await Promise.race([bodyReader.settled, patience]);
    clearTimeout(timer);
    return this.owner.closesConnections || !bodyReader.complete;
  }
}

const unreadBodyMs = 5_000;

/** A request without these headers has no body (RFC 9112, section 6). */
function hasBody({ headers }: RequestHead): boolean {
  return headers.has("content-length") || headers.has("transfer-encoding");
}
