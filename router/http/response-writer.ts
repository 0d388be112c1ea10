import type { HttpResponse as EngineResponse } from "uWebSockets.js";
import { signalOf } from "../../shared/flow/abort-scope.js";
import { writeBody, type StreamResponse } from "./body-writer.js";
import { BytesSender, type BytesResponse } from "./bytes-sender.js";
import type { ExchangeOwner } from "./exchange-owner.js";
import type { RequestEnding } from "./handler.js";
import { writeOpenEnded, type OpenEndedResponse } from "./open-ended-writer.js";
import type { RequestAccount } from "./request-account.js";
import { peerAddress, singleHeader, type RequestHead } from "./request.js";
import {
  writeContinue,
  writeLast,
  writeWhole,
  type ResponseContext,
  type HttpResponse,
  type JsonResponse,
  type PreparedHeaders,
  type WholeResponse,
} from "./response.js";
import { discard, withoutBody } from "./without-body.js";

/**
 * Writes the response of one exchange, the only code of the exchange that touches the engine's response. Never touches it after its end or
 * after the client has left. A `HEAD` gets only the head.
 */
export class ResponseWriter implements ResponseContext {
  clientGone = false;
  readonly isContinued: boolean;
  private ended = false;
  private sender: BytesSender | undefined;

  constructor(
    private readonly owner: Pick<ExchangeOwner, "closesConnections" | "cors" | "log" | "metrics" | "slowReaders">,
    private readonly response: EngineResponse,
    private readonly head: RequestHead,
  ) {
    this.isContinued = expectsContinue(head);
    if (this.isContinued) writeContinue(response);
  }

  get requestId(): string {
    return this.head.requestId;
  }

  get lines(): PreparedHeaders | undefined {
    return this.owner.cors.linesFor(this.head);
  }

  /** Returns the peer's address; empty after the client has left or the response has ended. */
  address(): string {
    return this.clientGone || this.ended ? "" : peerAddress(this.response);
  }

  get isHead(): boolean {
    return this.head.method === "HEAD";
  }

  /** Closes the connection, unless the response or the client is already gone. */
  cut(): void {
    if (!this.ended && !this.clientGone) this.response.close();
  }

  /** Stops sending bytes that wait for a slow client. */
  stopSending(): void {
    this.sender?.abort();
  }

  /** Marks the response as ended, so nothing more is written. */
  end(): void {
    this.ended = true;
  }

  whole(response: WholeResponse, close: boolean): void {
    this.ended = true;
    writeWhole(this.response, response, this, !this.isHead, close);
  }

  /** Writes the last response of the connection. Later requests on it are ignored. */
  last(response: JsonResponse): void {
    this.ended = true;
    writeLast(this.response, response, this);
  }

  /** Resolves with the status that was sent, or 0 if the client left. */
  async write(response: HttpResponse, close: boolean, account: RequestAccount, ending: RequestEnding): Promise<number> {
    if (this.clientGone) {
      discard(response);
      return 0;
    }
    if (this.isHead && response.kind !== "json" && response.kind !== "empty") {
      const empty = withoutBody(response);
      this.whole(empty, close);
      return empty.status;
    }
    switch (response.kind) {
      case "json":
      case "empty":
        this.whole(response, close);
        break;
      case "bytes":
        await new Promise<void>((resolve) => void this.bytes(response, account, resolve));
        break;
      case "stream":
        await this.stream(response, account, signalOf(ending));
        break;
      case "open-ended":
        await this.openEnded(response, close, account, signalOf(ending));
        break;
      default:
        return response satisfies never;
    }
    return response.status;
  }

  /** Returns false while bytes wait for room in the socket. */
  bytes(response: BytesResponse, account: RequestAccount, onEnd: () => void): boolean {
    const { metrics } = this.owner;
    const { isMedia } = response;
    if (isMedia) metrics.streamStarted(account.seconds());
    this.sender = new BytesSender(this.response, response, this, this.owner.slowReaders, (end, taken) => {
      this.ended = true;
      if (isMedia) metrics.streamEnded(end, response.bytes.length, taken);
      response.onEnd?.(taken);
      onEnd();
    });
    return this.sender.start();
  }

  private async stream(response: StreamResponse, account: RequestAccount, signal: AbortSignal): Promise<void> {
    const { slowReaders, metrics, log } = this.owner;
    if (response.length === 0) {
      this.whole(withoutBody(response), false);
      return;
    }
    metrics.streamStarted(account.seconds());
    const end = await writeBody(this.response, response, this, slowReaders, signal);
    // The deadline can pass in the same turn in which the handler returns. The signal is then aborted although the client is there.
    if (end.kind === "aborted") this.cut();
    this.ended = true;
    metrics.streamEnded(end.kind, response.length, end.taken);
    if (end.kind === "failed") log.warn({ err: end.error, ...account.named }, "stream ended early");
  }

  /** The stream may last for days, so metrics and log count the request when its head is sent. */
  private async openEnded(response: OpenEndedResponse, close: boolean, account: RequestAccount, signal: AbortSignal): Promise<void> {
    account.end(response.status);
    const end = await writeOpenEnded(this.response, response, this, () => close || this.owner.closesConnections, signal);
    if (end.kind === "aborted") this.cut();
    this.ended = true;
    if (end.kind === "failed") this.owner.log.warn({ err: end.error, ...account.named }, "stream ended early");
  }
}

/** The engine itself writes 100 Continue for the lower-case form alone, but the case makes no difference (RFC 9110, section 10.1.1). */
function expectsContinue(head: RequestHead): boolean {
  const expectation = singleHeader(head, "expect");
  return expectation !== undefined && expectation !== "100-continue" && expectation.toLowerCase() === "100-continue";
}
