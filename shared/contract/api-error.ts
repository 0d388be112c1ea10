/**
 * The only error that a client sees: `{statusCode, message}` ("Errors" of both documents).
 * Private reasons are its `cause`; they are logged, never sent.
 */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    readonly status: number,
    message: string,
    options: { retryAfterSeconds?: number; replayed?: boolean; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.replayed = options.replayed === true;
  }

  /** Seconds, sent as `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;
  /** True if this is the stored reply to an earlier request with the same `Idempotency-Key`. */
  readonly replayed: boolean;
}
