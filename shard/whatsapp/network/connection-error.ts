/** The connection ended, or never existed. `code` is the library's close code; see connection-end.ts. */
export class ConnectionLost extends Error {
  override readonly name = "ConnectionLost";

  constructor(
    readonly code: number | undefined,
    cause?: unknown,
  ) {
    super(`connection lost (${code ?? "closed by us"})`, { cause });
  }
}

/** All codes of a registration expired, or its attempt failed, so a new registration starts. */
export class CodesEnded extends Error {
  override readonly name = "CodesEnded";
}

/** The platform sent no response to a query in time. The connection may still work. */
export class QueryTimeout extends Error {
  override readonly name = "QueryTimeout";

  constructor(cause?: unknown) {
    super("the platform did not answer in time", { cause });
  }
}

/** The platform's server refused a message: the error of its ack, such as 463 or 479. */
export class MessageRefused extends Error {
  override readonly name = "MessageRefused";

  constructor(readonly code: string) {
    super(`message refused: ${code}`);
  }
}

/** No media host accepted the file. */
export class UploadFailed extends Error {
  override readonly name = "UploadFailed";

  constructor(cause: unknown) {
    super("Media upload failed on all hosts", { cause });
  }
}
