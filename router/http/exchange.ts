import type { HttpRequest as EngineRequest, HttpResponse as EngineResponse } from "uWebSockets.js";
import { endsWithin } from "../../shared/flow/ends-within.js";
import { bodyTooLate } from "./errors.js";
import { AnswerWriter } from "./answer-writer.js";
import { BodyReader } from "./body-reader.js";
import type { ExchangeOwner } from "./exchange-owner.js";
import type { AnswerAtHand, AtHand, HttpHandler } from "./handler.js";
import type { Identity } from "./identity.js";
import type { Newcomer } from "./newcomers.js";
import { RequestAccount, type ServedRoute } from "./request-account.js";
import { copyWhole, type HttpRequest, type RequestHead } from "./request.js";
import { nextTurn } from "./body-writer.js";
import { jsonError, type HttpAnswer, type JsonAnswer, type WholeAnswer } from "./response.js";
import { discard, withoutBody } from "./without-body.js";

/**
 * One request and its answer. Rules of the engine that live here, in what reads the body and in what writes the answer, and nowhere else: everything of the request is copied and the
 * abort handler stands before the first `await`; a response is not touched after it ended or its client left; every write is corked.
 */
export class Exchange implements Newcomer {
  private bodyReader: BodyReader | undefined;
  private waitsForBody = false;
  /** Ends the handler's work. Made when a handler is asked: an answer at hand needs none. */
  private work: AbortController | undefined;
  /** Ends the wait for the handler. */
  private giveUp: ((reason: Error) => void) | undefined;
  private readonly writer: AnswerWriter;
  private readonly account: RequestAccount;

  constructor(
    private readonly owner: ExchangeOwner<Exchange>,
    private readonly response: EngineResponse,
    private readonly head: RequestHead,
    private readonly route: ServedRoute,
  ) {
    this.writer = new AnswerWriter(owner, response, head);
    this.account = new RequestAccount(owner, head, route, this.writer);
  }

  get caller(): string {
    return this.account.caller;
  }

  address(): string {
    return this.writer.address();
  }

  /** Who sends it, as its head alone shows. */
  identified(identity: Identity | undefined): void {
    this.account.identify(identity);
  }

  giveUpBody(): boolean {
    if (!this.waitsForBody || this.bodyReader?.over !== false) return false;
    this.bodyReader.giveUp(bodyTooLate());
    return true;
  }

  /** Answers without a handler, in this turn: what may come of a body is not waited for, and the engine drops it. */
  refuse(answer: WholeAnswer): void {
    this.account.judge(answer, true);
    if (isChunked(this.head) && answer.kind === "json") return this.refuseAll(answer);
    this.writer.whole(answer, this.owner.closesConnections);
    this.over(answer.status);
  }

  /** As `refuse`; nothing that follows on the connection is looked at. */
  refuseAll(answer: JsonAnswer): void {
    this.writer.last(answer);
    this.over(answer.status);
  }

  /** Answers out of memory, in this turn and with as few calls into the engine as can be. False, and nothing has happened, where `start` has to do it. */
  answerAtHand(atHand: AtHand): boolean {
    if (hasBody(this.head)) return false;
    const found = this.lookAtHand(atHand);
    if (found === undefined) return false;
    const answer = this.writer.isHead && found.kind === "bytes" ? withoutBody(found) : found;
    if (answer.kind !== "bytes") {
      this.refuse(answer);
    } else if (!this.writer.bytes(answer, this.account, () => this.over(answer.status))) {
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

  /** Ends the exchange now: the connection is closed. */
  cut(): void {
    this.writer.cut();
  }

  private clientLeft(): void {
    // The engine also reports connections that close after their response; then nobody waits any more.
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

  /** A failure here is a bug of ours, but the handler can still answer. */
  private lookAtHand(atHand: AtHand): AnswerAtHand | undefined {
    try {
      return atHand(this.head);
    } catch (error) {
      this.owner.log.error({ err: error, ...this.account.named }, "prepared response failed");
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
      const isPacked = this.route.compressible === true && plain.kind === "json" && !this.writer.clientGone;
      const answer = isPacked ? await this.owner.compressor.compress(plain, this.head.headers) : plain;
      if (!this.writer.clientGone) this.account.judge(answer, false);
      const close = this.bodyReader === undefined ? this.owner.closesConnections : await this.closesConnection(this.bodyReader);
      status = await this.writer.write(answer, close, this.account, work.signal);
    } catch (error) {
      this.owner.log.error({ err: error, ...this.account.named }, "response write failed");
      this.cut();
    } finally {
      clearTimeout(deadline);
      this.over(status);
    }
  }

  private over(status: number): void {
    this.writer.end();
    this.account.tell(status);
    this.owner.ended(this);
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
      if (!this.writer.clientGone) this.owner.log.error({ err: error, ...this.account.named }, "unexpected error in request");
      return jsonError(500, "internal server error");
    }
  }

  /** Lets a body that nobody read come in first, for a bounded time; what is still missing then costs the connection. */
  private async closesConnection(bodyReader: BodyReader): Promise<boolean> {
    this.waitsForBody = true;
    if (!bodyReader.complete) await endsWithin(bodyReader.done, unreadBodyMs);
    if (!isChunked(this.head)) return this.owner.closesConnections || !bodyReader.complete;
    // What came in one piece with such a body is parsed in this turn: the engine closes on a request that comes before the answer.
    await nextTurn();
    return true;
  }
}

const unreadBodyMs = 5_000;

/** The engine does not check how a chunk ends, so a proxy may see another end of such a body: nothing behind it on its connection is taken for a request. */
function isChunked({ headers }: RequestHead): boolean {
  return headers.has("transfer-encoding");
}

/** A request without these headers has no body (RFC 9112, section 6). */
function hasBody({ headers }: RequestHead): boolean {
  return headers.has("content-length") || headers.has("transfer-encoding");
}
