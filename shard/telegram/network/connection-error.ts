/** Why a connection is unusable: it is gone, or the server no longer knows its key (transport error -404). */
export type LossReason = "lost" | "key-unknown";

/** The connection was lost before the reply: it is unknown whether the platform carried the call out. */
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
 * A data centre other than the home one refuses the login, even with a new key. That says nothing about the login itself, so it must not
 * appear as a 401.
 */
export class DataCentreRefused extends Error {
  override readonly name = "DataCentreRefused";

  constructor(dcId: number, cause: unknown) {
    super(`data centre ${dcId} refuses the login`, { cause });
  }
}

/** The platform did not reply to a call in time. */
export class CallTimeout extends Error {
  override readonly name = "CallTimeout";

  constructor(request: string, deadlineMs: number) {
    super(`no answer to ${request} within ${deadlineMs} ms`);
  }
}
