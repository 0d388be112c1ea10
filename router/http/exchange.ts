import type { HttpRequest as EngineRequest, HttpResponse as EngineResponse } from "uWebSockets.js";
import { AbortScope } from "../../shared/flow/abort-scope.js";
import { endsWithin } from "../../shared/flow/ends-within.js";
import { bodyTooLate } from "./errors.js";
import { ResponseWriter } from "./response-writer.js";
import { BodyReader } from "./body-reader.js";
import type { ExchangeOwner } from "./exchange-owner.js";
import type { ResponseAtHand, AtHand, HttpHandler, Refusal, RequestEnding } from "./handler.js";
import type { Identity } from "./identity.js";
import type { Newcomer } from "./newcomers.js";
import { RequestAccount, type ServedRoute } from "./request-account.js";
import { copyWhole, type HttpRequest, type RequestHead } from "./request.js";
import { nextTurn } from "./body-writer.js";
import { jsonError, type HttpResponse, type JsonResponse, type WholeResponse } from "./response.js";
import { discard, withoutBody } from "./without-body.js";

/**
 * One request and its response. The engine's rules live here: copy the request and set the abort handler before the first `await`, never
 * touch a response after its end or after the client left, and cork every write.
 */
export class Exchange implements Newcomer {
  private bodyReader: BodyReader | undefined;
  private waitsForBody = false;
  /** Aborts the handler's work. Created only when a handler runs. */
  private work: AbortScope | undefined;
  /** Ends the wait for the handler. */
  private giveUp: ((reason: Error) => void) | undefined;
  private readonly writer: ResponseWriter;
  private readonly account: RequestAccount;

  constructor(
    private readonly owner: ExchangeOwner<Exchange>,
    private readonly response: EngineResponse,
    private readonly head: RequestHead,
    private readonly route: ServedRoute,
  ) {
    this.writer = new ResponseWriter(owner, response, head);
    this.account = new RequestAccount(owner, head, route, this.writer);
  }

  get caller(): string {
    return this.account.caller;
  }

  address(): string {
    return this.writer.address();
  }

  /** Records who sent the request, as its head shows. */
  identified(identity: Identity | undefined): void {
    this.account.identify(identity);
  }

  giveUpBody(): boolean {
    if (!this.waitsForBody || this.bodyReader?.over !== false) return false;
    this.bodyReader.giveUp(bodyTooLate());
    return true;
  }

  /** Responds without a handler, in this turn. Does not wait for a body; the engine drops it. */
  refuse(response: WholeResponse): void {
    this.account.judge(response, true);
    if (isChunked(this.head) && response.kind === "json") return this.refuseAll(response);
    this.writer.whole(response, this.owner.closesConnections || mayWithholdBody(this.head));
    this.over(response.status);
  }

  /** Responds if the check of the head rejects the request or fails, and returns whether it did. */
  refusedBy(refusal: Refusal): boolean {
    const response = this.refusalOf(refusal);
    if (response !== undefined) this.refuse(response);
    return response !== undefined;
  }

  /** Rejects as `refuse` does, and ignores later requests on the connection. */
  refuseAll(response: JsonResponse): void {
    this.writer.last(response);
    this.over(response.status);
  }

  /**
   * Responds from memory in this turn, with as few calls into the engine as possible. Returns false without any effect if `start` has to
   * handle the request.
   */
  respondAtHand(atHand: AtHand): boolean {
    if (hasBody(this.head)) return false;
    const found = this.findAtHand(atHand);
    if (found === undefined) return false;
    const response = this.writer.isHead && found.kind === "bytes" ? withoutBody(found) : found;
    if (response.kind !== "bytes") {
      this.refuse(response);
    } else if (!this.writer.bytes(response, this.account, () => this.over(response.status))) {
      this.response.onAborted(() => this.clientLeft());
    }
    return true;
  }

  /** Runs the handler. Never throws. */
  start(request: EngineRequest, paramNames: readonly string[], handler: HttpHandler): void {
    this.response.onAborted(() => this.clientLeft());
    const copy = copyWhole(this.head, request, paramNames, {
      arrivedAt: this.account.startedAt,
      address: () => this.writer.address(),
      identified: (identity) => {
        this.account.identify(identity);
        this.mayBeTakenIn();
      },
      auditAlso: (action, identity, status) => this.account.auditAlso(action, identity, status),
      body: () => {
        this.waitsForBody = true;
        return this.bodyReader?.body ?? Promise.resolve(Buffer.alloc(0));
      },
    });
    if (hasBody(copy)) {
      const declared = Number(copy.headers.get("content-length")?.[0] ?? 0);
      this.bodyReader = new BodyReader(this.response, declared, this.owner.limits.bodyBytes);
      void this.bodyReader.done.then(() => this.mayBeTakenIn());
    }
    const { span } = this.account;
    if (span === undefined) void this.run(handler, copy);
    else void span.run(() => this.run(handler, copy));
  }

  /** Closes the connection, which ends the exchange. */
  cut(): void {
    this.writer.cut();
  }

  private clientLeft(): void {
    // The engine also calls this for connections that close after their response. It has no effect then.
    this.writer.clientGone = true;
    this.owner.takenIn(this);
    this.endWork("client closed the connection");
    this.bodyReader?.giveUp(new Error("client closed the connection"));
    this.writer.stopSending();
  }

  private mayBeTakenIn(): void {
    if (this.account.identified && this.bodyReader?.complete !== false) this.owner.takenIn(this);
  }

  private endWork(why: string): void {
    const reason = new Error(why);
    this.work?.abort(reason);
    this.giveUp?.(reason);
  }

  /** Returns `undefined` on an error, so that the handler can still respond. */
  private findAtHand(atHand: AtHand): ResponseAtHand | undefined {
    try {
      return atHand(this.head);
    } catch (error) {
      this.owner.log.error({ err: error, ...this.account.named }, "prepared response failed");
      return undefined;
    }
  }

  /** Runs the handler and writes its response. Never rejects. Resolves when the response is over. */
  private async run(handler: HttpHandler, request: HttpRequest): Promise<void> {
    const work = new AbortScope();
    this.work = work;
    const deadline = setTimeout(() => this.endWork("deadline of the request passed"), this.route.deadlineMs);
    let status = 0;
    try {
      const plain = await this.responseOf(handler, request, work);
      clearTimeout(deadline);
      const isPacked = this.route.compressible === true && plain.kind === "json" && !this.writer.clientGone;
      const response = isPacked ? await this.owner.compressor.compress(plain, this.head.headers) : plain;
      if (!this.writer.clientGone) this.account.judge(response, false);
      const close = this.bodyReader === undefined ? this.owner.closesConnections : await this.closesConnection(this.bodyReader);
      status = await this.writer.write(response, close, this.account, work);
    } catch (error) {
      this.owner.log.error({ err: error, ...this.account.named }, "response write failed");
      this.cut();
    } finally {
      clearTimeout(deadline);
      this.over(status);
    }
  }

  private refusalOf(refusal: Refusal): WholeResponse | undefined {
    try {
      return refusal(
        this.head,
        () => this.address(),
        (identity) => this.identified(identity),
      );
    } catch (error) {
      this.account.fail(error);
      return internalError();
    }
  }

  private over(status: number): void {
    this.writer.end();
    this.account.end(status);
    this.owner.ended(this);
  }

  /** Resolves with the handler's response, or with 500 if the handler fails or exceeds its deadline. */
  private async responseOf(handler: HttpHandler, request: HttpRequest, ending: RequestEnding): Promise<HttpResponse> {
    // The wrapper turns a synchronous throw into a rejection.
    const response = (async () => await handler(request, ending))();
    try {
      return await new Promise<HttpResponse>((resolve, reject) => {
        this.giveUp = reject;
        response.then(resolve, reject);
      });
    } catch (error) {
      // A late response may hold a stream with chunks, which must be released.
      response.then(discard).catch(() => {});
      if (!this.writer.clientGone) this.account.fail(error);
      return internalError();
    }
  }

  /**
   * Waits a bounded time for the rest of an unread body. Returns true if the connection must close, for example when the body is still
   * incomplete.
   */
  private async closesConnection(bodyReader: BodyReader): Promise<boolean> {
    this.waitsForBody = true;
    if (!bodyReader.complete) await endsWithin(bodyReader.done, unreadBodyMs);
    if (!isChunked(this.head)) return this.owner.closesConnections || !bodyReader.complete;
    // A request that arrived in the same packet is parsed in this turn. The engine closes the connection if it comes before this response.
    await nextTurn();
    return true;
  }
}

const unreadBodyMs = 5_000;
const internalError = (): JsonResponse => jsonError(500, "internal server error");

/** The engine does not check the end of a chunk, so a proxy may see a different end. Later requests on such a connection are ignored. */
function isChunked({ headers }: RequestHead): boolean {
  return headers.has("transfer-encoding");
}

/**
 * A client that expects 100 Continue may send no body after an error. Its next request on the connection would be taken for the body (RFC
 * 9110, section 10.1.1).
 */
function mayWithholdBody({ headers }: RequestHead): boolean {
  return headers.has("expect");
}

/** Returns whether the request has a body (RFC 9112, section 6). */
function hasBody({ headers }: RequestHead): boolean {
  return headers.has("content-length") || headers.has("transfer-encoding");
}
