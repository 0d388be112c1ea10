import type { HttpResponse as EngineResponse } from "uWebSockets.js";
import { bodyTooLarge } from "./errors.js";

/**
 * Reads a request body into memory, up to a limit. A longer body is refused with 413, but its rest is still received and
 * dropped for a while: an answer that is followed by a reset of the connection would not reach the client.
 */
export class BodyReader {
  /** The whole body, or 413. Rejects when the client went away. */
  readonly body: Promise<Buffer>;
  /** Resolves when nothing more is expected: the body ended, the client is gone, or too much came to go on. */
  readonly done: Promise<void>;
  /** True when the body was received to its end, so that the connection can be used again. */
  complete = false;

  /** True when nothing more is expected, as `done` resolves. */
  over = false;

  private chunks: Buffer[] = [];
  private unwanted = false;
  private length = 0;
  private readonly outcome: PromiseWithResolvers<Buffer>;
  private readonly ending: PromiseWithResolvers<void>;

  /** Must be made before the first `await` of a request: the engine drops what nobody listens to. */
  constructor(
    response: EngineResponse,
    declaredLength: number,
    private readonly maxBytes: number,
  ) {
    this.outcome = withResolvers<Buffer>();
    this.ending = withResolvers();
    this.done = this.ending.promise;
    this.body = this.outcome.promise;
    // A handler that answers without looking at the body leaves this promise alone.
    this.body.catch(() => {});
    if (declaredLength > maxBytes) this.refuse(bodyTooLarge());
    if (declaredLength > drainMaxBytes) this.end();
    response.onData((chunk, isLast) => this.receive(chunk, isLast));
  }

  /** Nobody waits for it any longer: whoever asked is told the reason. */
  giveUp(reason: Error): void {
    this.refuse(reason);
    this.end();
  }

  private receive(chunk: ArrayBuffer, isLast: boolean): void {
    this.length += chunk.byteLength;
    if (this.length > this.maxBytes) this.refuse(bodyTooLarge());
    // The engine detaches the chunk on return: copy it.
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

/** Past this much of a refused body the connection is closed instead. */
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
