import { ApiError } from "../../shared/contract/api-error.js";
import { internal } from "../../shared/contract/errors.js";
import type { Log } from "../../shared/log/logger.js";
import type { HttpRequest } from "../http/request.js";
import { weightsOf } from "../http/weights.js";
import type { HttpResponse } from "../http/response.js";

const mediaType = "application/x-ndjson";

/** Returns true if the client accepts NDJSON with at least the weight of JSON. */
export function acceptsNdjson({ headers }: Pick<HttpRequest, "headers">): boolean {
  const weights = weightsOf(headers.get("accept"));
  const lines = weights.get(mediaType) ?? 0;
  return lines > 0 && lines >= (weights.get("application/json") ?? 0);
}

/**
 * Streams a line of JSON per row. Further rows are read once the socket has taken the last ones. If the rows fail, the last line is an
 * error.
 */
export function ndjson(rows: AsyncIterable<readonly object[]>, { requestId }: Pick<HttpRequest, "requestId">, log: Log): HttpResponse {
  const headers = { "Content-Type": `${mediaType}; charset=utf-8`, "Cache-Control": "no-store", "X-Accel-Buffering": "no" };
  return { kind: "open-ended", status: 200, headers, body: linesOf(rows, requestId, log) };
}

async function* linesOf(rows: AsyncIterable<readonly object[]>, requestId: string, log: Log): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const part of rows) yield Buffer.from(part.map((row) => `${JSON.stringify(row)}\n`).join(""));
  } catch (error) {
    const { status, message } = error instanceof ApiError ? error : internal();
    if (!(error instanceof ApiError)) log.error({ err: error, requestId }, "response stream failed");
    yield Buffer.from(`${JSON.stringify({ statusCode: status, message })}\n`);
  }
}
