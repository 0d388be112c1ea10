import type { HttpRequest as EngineRequest, HttpResponse as EngineResponse } from "uWebSockets.js";
import type { Log } from "../../shared/log/logger.js";
import { BodyReader } from "./body-reader.js";
import { writeBody, type SlowReaderLimit, type StreamAnswer } from "./body-writer.js";
import type { HttpHandler, RouteOptions } from "./handler.js";
import { snapshot, type HttpRequest } from "./request.js";
import { jsonError, writeWhole, type HttpAnswer } from "./response.js";

export interface HttpLimits {
  /** Open connections of this process; more are closed at once. */
  readonly connections: number;
  /** Requests in progress; more are answered 503. */
  readonly requests: number;
  readonly requestsPerAddress: number;
  readonly bodyBytes: number;
  readonly slowReader: SlowReaderLimit;
}

export interface HttpMetrics {
  /** One request is over. `status` is 0 when the client left before the answer. */
  requestEnded(route: string, status: number, seconds: number): void;
  connections(open: number): void;
  requestsInProgress(count: number): void;
  streamEnded(end: "sent" | "aborted" | "slow" | "failed", bytes: number): void;
}

/** What an exchange needs of the app. */
export interface ExchangeOwner {
  readonly limits: HttpLimits;
  readonly metrics: HttpMetrics;
  readonly log: Log;
  readonly stopping: boolean;
}

/**
 * One request and its answer. Rules of the engine that live here and nowhere else: everything of the request is copied and the abort
 * handler stands before the first `await`; a response is not touched after it ended or its client left; every write is corked.
 */
export class Exchange {
  readonly request: HttpRequest;
  private readonly startedAt = performance.now();
  private readonly bodyReader: BodyReader | undefined;
  private readonly client = new AbortController();
  private readonly work = new AbortController();
  private ended = false;

  constructor(
    private readonly owner: ExchangeOwner,
    private readonly response: EngineResponse,
    request: EngineRequest,
    paramNames: readonly string[],
    private readonly route: RouteOptions,
  ) {
    response.onAborted(() => this.clientLeft());
    this.request = snapshot(request, response, paramNames, () => this.bodyReader?.body ?? Promise.resolve(Buffer.alloc(0)));
    if (hasBody(this.request)) {
      const declared = Number(this.request.headers.get("content-length")?.[0] ?? 0);
      this.bodyReader = new BodyReader(response, declared, owner.limits.bodyBytes);
    }
  }

  /** Runs the handler and writes its answer. Never rejects; resolves when the response is over. */
  async run(handler: HttpHandler): Promise<void> {
    const deadline = setTimeout(() => this.work.abort(new Error("deadline of the request passed")), this.route.deadlineMs);
    let status = 0;
    try {
      const answer = await this.answerOf(handler);
      clearTimeout(deadline);
      status = await this.write(answer);
    } catch (error) {
      this.owner.log.error({ err: error, route: this.route.name }, "answer could not be written");
      this.cut();
    } finally {
      clearTimeout(deadline);
      this.ended = true;
      this.owner.metrics.requestEnded(this.route.name, status, (performance.now() - this.startedAt) / 1000);
    }
  }

  /** Ends the exchange now: the connection is closed. */
  cut(): void {
    if (!this.ended && !this.client.signal.aborted) this.response.close();
  }

  private clientLeft(): void {
    // The engine also reports connections that close after their response; then nobody waits any more.
    const reason = new Error("client closed the connection");
    this.client.abort(reason);
    this.work.abort(reason);
    this.bodyReader?.abort();
  }

  /** The handler's answer, or 500 when it fails or outlives its deadline. */
  private async answerOf(handler: HttpHandler): Promise<HttpAnswer> {
    const ends = new Promise<never>((_, reject) => {
      this.work.signal.addEventListener("abort", () => reject(toError(this.work.signal.reason)), { once: true });
    });
    // In a function of its own, so that a handler that throws at once counts as one that rejects.
    const answer = (async () => await handler(this.request, this.work.signal))();
    try {
      return await Promise.race([answer, ends]);
    } catch (error) {
      // An answer that comes too late may hold a stream, which holds chunks.
      answer.then(discard).catch(() => {});
      if (!this.client.signal.aborted) this.owner.log.error({ err: error, route: this.route.name }, "request failed");
      return jsonError(500, "internal server error");
    }
  }

  /** Resolves with the status that was sent, 0 when the client left. */
  private async write(answer: HttpAnswer): Promise<number> {
    const close = await this.closesConnection();
    if (this.client.signal.aborted) {
      discard(answer);
      return 0;
    }
    if (answer.kind !== "stream") {
      this.ended = true;
      writeWhole(this.response, answer, this.request.method !== "HEAD", close || (answer.kind === "json" && answer.close === true));
      return answer.status;
    }
    await this.stream(answer);
    return answer.status;
  }

  private async stream(answer: StreamAnswer): Promise<void> {
    if (answer.length === 0) {
      this.ended = true;
      writeWhole(this.response, { kind: "empty", status: answer.status, headers: answer.headers, length: 0 }, false, false);
      discard(answer);
      return;
    }
    const end = await writeBody(this.response, answer, this.owner.limits.slowReader, this.client.signal);
    this.ended = true;
    this.owner.metrics.streamEnded(end.kind, answer.length);
    if (end.kind === "failed") this.owner.log.warn({ err: end.error, route: this.route.name }, "stream ended early");
  }

  /** Lets a body that nobody read come in first, for a bounded time; what is still missing then costs the connection. */
  private async closesConnection(): Promise<boolean> {
    const { bodyReader } = this;
    if (bodyReader === undefined) return this.owner.stopping;
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, unreadBodyMs);
    });
    if (!bodyReader.complete) await Promise.race([bodyReader.settled, patience]);
    clearTimeout(timer);
    return this.owner.stopping || !bodyReader.complete;
  }
}

const unreadBodyMs = 5_000;

/** A request without these headers has no body (RFC 9112, section 6). */
function hasBody({ headers }: HttpRequest): boolean {
  return headers.has("content-length") || headers.has("transfer-encoding");
}

function discard(answer: HttpAnswer): void {
  if (answer.kind === "stream") answer.body.return?.(undefined).catch(() => {}); // Nobody reads it any more.
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error("request was ended", { cause: reason });
}
