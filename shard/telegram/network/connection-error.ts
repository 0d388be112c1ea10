/** Why a connection is of no more use: gone, or its key is not known to the server any more (transport error -404). */
export type LossReason = "lost" | "key-unknown";

/** The connection was gone before the answer came: whether the platform carried the call out is unknown. */
export class ConnectionLost extends Error {
  override readonly name = "ConnectionLost";

  constructor(
    readonly reason: LossReason,
    cause?: unknown,
  ) {
    super(`connection is ${reason}`, { cause });
  }
}

/**
 * Another data centre than the home one does not accept the login, a new key included. That says nothing of the login itself,
 * so it must not look like the 401 that it is.
 */
export class DataCentreRefused extends Error {
  override readonly name = "DataCentreRefused";

  constructor(dcId: number, cause: unknown) {
    super(`data centre ${dcId} refuses the login`, { cause });
  }
}

/** The platform did not answer a call in time. */
export class CallTimeout extends Error {
  override readonly name = "CallTimeout";

  constructor(request: string, deadlineMs: number) {
    super(`no answer to ${request} within ${deadlineMs} ms`);
  }
}
