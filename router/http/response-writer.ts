import type { HttpResponse as EngineResponse } from "uWebSockets.js";
import { writeBody, type StreamResponse } from "./body-writer.js";
import { BytesSender, type BytesResponse } from "./bytes-sender.js";
import type { ExchangeOwner } from "./exchange-owner.js";
import { writeOpenEnded, type OpenEndedResponse } from "./open-ended-writer.js";
import type { RequestAccount } from "./request-account.js";
import { peerAddress, type RequestHead } from "./request.js";
import {
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
  private ended = false;
  private sender: BytesSender | undefined;

  constructor(
    private readonly owner: Pick<ExchangeOwner, "closesConnections" | "cors" | "log" | "metrics" | "slowReaders">,
    private readonly response: EngineResponse,
    private readonly head: RequestHead,
  ) {}

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

  whole(answer: WholeResponse, close: boolean): void {
    this.ended = true;
    writeWhole(this.response, answer, this, !this.isHead, close);
  }

  /** Writes the last response of the connection. Later requests on it are ignored. */
  last(answer: JsonResponse): void {
    this.ended = true;
    writeLast(this.response, answer, this);
  }

  /** Resolves with the status that was sent, or 0 if the client left. */
  async write(answer: HttpResponse, close: boolean, account: RequestAccount, signal: AbortSignal): Promise<number> {
    if (this.clientGone) {
      discard(answer);
      return 0;
    }
    if (this.isHead && answer.kind !== "json" && answer.kind !== "empty") {
      const empty = withoutBody(answer);
      this.whole(empty, close);
      return empty.status;
    }
    switch (answer.kind) {
      case "json":
      case "empty":
        this.whole(answer, close);
        break;
      case "bytes":
        await new Promise<void>((resolve) => void this.bytes(answer, account, resolve));
        break;
      case "stream":
        await this.stream(answer, account, signal);
        break;
      case "open-ended":
        await this.openEnded(answer, close, account, signal);
        break;
      default:
        return answer satisfies never;
    }
    return answer.status;
  }

  /** Returns false while bytes wait for room in the socket. */
  bytes(answer: BytesResponse, account: RequestAccount, onEnd: () => void): boolean {
    const { metrics } = this.owner;
    const { isMedia } = answer;
    if (isMedia) metrics.streamStarted(account.seconds());
    this.sender = new BytesSender(this.response, answer, this, this.owner.slowReaders, (end, taken) => {
      this.ended = true;
      if (isMedia) metrics.streamEnded(end, answer.bytes.length, taken);
      answer.onEnd?.(taken);
      onEnd();
    });
    return this.sender.start();
  }

  private async stream(answer: StreamResponse, account: RequestAccount, signal: AbortSignal): Promise<void> {
    const { slowReaders, metrics, log } = this.owner;
    if (answer.length === 0) {
      this.whole(withoutBody(answer), false);
      return;
    }
    metrics.streamStarted(account.seconds());
    const end = await writeBody(this.response, answer, this, slowReaders, signal);
    // The deadline can pass in the same turn in which the handler returns. The signal is then aborted although the client is there.
    if (end.kind === "aborted") this.cut();
    this.ended = true;
    metrics.streamEnded(end.kind, answer.length, end.taken);
    if (end.kind === "failed") log.warn({ err: end.error, ...account.named }, "stream ended early");
  }

  /** The stream may last for days, so metrics and log count the request when its head is sent. */
  private async openEnded(answer: OpenEndedResponse, close: boolean, account: RequestAccount, signal: AbortSignal): Promise<void> {
    account.tell(answer.status);
    const end = await writeOpenEnded(this.response, answer, this, () => close || this.owner.closesConnections, signal);
    if (end.kind === "aborted") this.cut();
    this.ended = true;
    if (end.kind === "failed") this.owner.log.warn({ err: end.error, ...account.named }, "stream ended early");
  }
}
