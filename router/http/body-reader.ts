import type { HttpResponse as EngineResponse } from "uWebSockets.js";
import { bodyTooLarge } from "./errors.js";

/**
 * Reads a request body into memory, up to a limit. Rejects a longer body with 413, but receives and drops its rest for a while: a
 * connection reset would keep the response from the client.
 */
export class BodyReader {
  /** The whole body. Rejects with 413 when it is too long, and when the client has left. */
  readonly body: Promise<Buffer>;
  /** Resolves when no more data is expected: the body ended, the client left, or too much arrived. */
  readonly done: Promise<void>;
  /** True when the body was received to its end, so the connection can be reused. */
  complete = false;

  /** True when no more data is expected, as `done` resolves. */
  over = false;

  private chunks: Buffer[] = [];
  private unwanted = false;
  private length = 0;
  private readonly outcome: PromiseWithResolvers<Buffer>;
  private readonly ending: PromiseWithResolvers<void>;

  /** Must be constructed before the first `await` of a request: the engine drops data without a listener. */
  constructor(
    response: EngineResponse,
    declaredLength: number,
    private readonly maxBytes: number,
  ) {
    this.outcome = withResolvers<Buffer>();
    this.ending = withResolvers();
    this.done = this.ending.promise;
    this.body = this.outcome.promise;
    // A handler that does not read the body leaves this promise without a handler.
    this.body.catch(() => {});
    if (declaredLength > maxBytes) this.refuse(bodyTooLarge());
    if (declaredLength > drainMaxBytes) this.end();
    response.onData((chunk, isLast) => this.receive(chunk, isLast));
  }

  /** Rejects the body with `reason` and stops waiting for the rest. */
  giveUp(reason: Error): void {
    this.refuse(reason);
    this.end();
  }

  private receive(chunk: ArrayBuffer, isLast: boolean): void {
    this.length += chunk.byteLength;
    if (this.length > this.maxBytes) this.refuse(bodyTooLarge());
    // The engine detaches the chunk on return, so it is copied.
    else if (chunk.byteLength > 0 && !this.unwanted) this.chunks.push(Buffer.from(chunk.slice(0)));
    if (this.length > drainMaxBytes) this.end();
    if (!isLast) return;
    this.complete = true;
    this.outcome.resolve(this.chunks.length === 1 && this.chunks[0] !== undefined ? this.chunks[0] : Buffer.concat(this.chunks));
    this.chunks = [];
    this.end();
  }

  private end(): void {
    this.over = true;
    this.ending.resolve();
  }

  private refuse(reason: Error): void {
    this.unwanted = true;
    this.chunks = [];
    this.outcome.reject(reason);
  }
}

/** Beyond this much of a rejected body the connection is closed. */
const drainMaxBytes = 16 * 1024 * 1024;

interface PromiseWithResolvers<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (reason: Error) => void;
}

function withResolvers<T>(): PromiseWithResolvers<T> {
  let resolve: (value: T) => void = () => {};
  let reject: (reason: Error) => void = () => {};
  const promise = new Promise<T>((onValue, onReason) => {
    resolve = onValue;
    reject = onReason;
  });
  return { promise, resolve, reject };
}
