import { STATUS_CODES } from "node:http";
import type { HttpResponse as EngineResponse } from "uWebSockets.js";
import { errorHeaders } from "./error-code.js";

export type ResponseHeaders = Readonly<Record<string, string>>;

/**
 * Headers that are the same over many responses, as one text for the engine: a call for each of seven headers costs more than finding the
 * bytes (bench/findings.md).
 */
export class PreparedHeaders {
  readonly name: string;
  /** Value of the first header, followed by all further lines. */
  readonly value: string;

  /** Throws if a text could break out of its line. Must not be empty. */
  constructor(headers: ResponseHeaders) {
    const [first, ...others] = Object.entries(headers);
    if (
      first === undefined ||
      Object.entries(headers)
        .flat()
        .some((text) => /[\u0000-\u001f\u007f]/.test(text))
    )
      throw new Error("headers cannot be prepared");
    this.name = first[0];
    this.value = first[1] + others.map(([name, value]) => `\r\n${name}: ${value}`).join("");
  }
}

/** A handler's response as data. Only the app writes it. */
export type HttpResponse =
  | {
      readonly kind: "json";
      readonly status: number;
      readonly headers: ResponseHeaders;
      readonly prepared?: PreparedHeaders;
      readonly text: string;
      /** Bytes sent in place of the text, in the coding that the headers name. */
      readonly coded?: Uint8Array;
    }
  /** Headers without a body: `HEAD` (`length`: that of the omitted body), 204 or 304 (no length). */
  | {
      readonly kind: "empty";
      readonly status: number;
      readonly headers: ResponseHeaders;
      readonly prepared?: PreparedHeaders;
      readonly length?: number;
    }
  /** Bytes in memory; must not be empty. `onEnd` runs once, when the bytes are no longer needed; `taken` bytes went to the socket. */
  | {
      readonly kind: "bytes";
      /** Counts as a media stream in the metrics. */
      readonly isMedia: boolean;
      readonly status: number;
      readonly headers: ResponseHeaders;
      readonly prepared?: PreparedHeaders;
      readonly bytes: Uint8Array;
      readonly onEnd?: (taken: number) => void;
    }
  /** `length` bytes in all. The next chunk is read only after the socket took the last one. */
  | {
      readonly kind: "stream";
      readonly status: number;
      readonly headers: ResponseHeaders;
      readonly prepared?: PreparedHeaders;
      readonly length: number;
      readonly body: AsyncIterator<Uint8Array, unknown, undefined>;
    }
  /**
   * A body of unknown length. It ends with the iterator; if the iterator fails, the connection closes. The request counts as done when the
   * head is sent.
   */
  | {
      readonly kind: "open-ended";
      readonly status: number;
      readonly headers: ResponseHeaders;
      readonly body: AsyncIterator<Uint8Array, unknown, undefined>;
    };

/** A response that never has to wait for its client. */
export type WholeResponse = Extract<HttpResponse, { kind: "json" | "empty" }>;
export type JsonResponse = Extract<HttpResponse, { kind: "json" }>;

export const jsonHeaders: ResponseHeaders = { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store" };

/** Returns a JSON response that must not be cached: records change, and a QR code is as good as a password. */
export function json(status: number, text: string, headers: ResponseHeaders = {}): JsonResponse {
  return {
    kind: "json",
    status,
    text,
    headers: { ...jsonHeaders, ...headers },
  };
}

/** Body of every error. The header `x-error-code` has the error code. */
export interface ErrorBody {
  /** HTTP status of the response. */
  statusCode: number;
  /** Error message for people. Several messages are separated by newlines. */
  message: string;
}

export function jsonError(statusCode: number, message: string, headers: ResponseHeaders = {}): JsonResponse {
  const body = JSON.stringify({ statusCode, message } satisfies ErrorBody);
  return json(statusCode, body, { ...errorHeaders(statusCode, message), ...headers });
}

/** The request's facts that every response head needs. */
export interface ResponseContext {
  readonly requestId: string;
  /** Header lines for every response to the request's origin. */
  readonly lines: PreparedHeaders | undefined;
  /** True if `writeContinue` has run for the request. */
  readonly isContinued: boolean;
}

/** Writes `100 Continue`, to which the engine adds the end of the line. */
export function writeContinue(response: EngineResponse): void {
  response.writeStatus("100 Continue\r\n");
}

/** Writes the status line and headers. Call it first inside a cork. */
export function writeHead(response: EngineResponse, reply: HttpResponse, context: ResponseContext): void {
  const { requestId, lines, isContinued } = context;
  const { status, headers } = reply;
  // The engine writes 200 by itself.
  if (status !== 200 && !isContinued) response.writeStatus(statusLine(status));
  // The engine writes one status line for each request, so after 100 Continue the real one goes out with the first header.
  response.writeHeader(isContinued ? `HTTP/1.1 ${statusLine(status)}\r\nx-request-id` : "x-request-id", requestId);
  if ("prepared" in reply && reply.prepared !== undefined) response.writeHeader(reply.prepared.name, reply.prepared.value);
  if (lines !== undefined) response.writeHeader(lines.name, lines.value);
  for (const name in headers) response.writeHeader(name, headers[name] ?? "");
}

const statusLines = new Map<number, string>();

function statusLine(status: number): string {
  const cached = statusLines.get(status);
  if (cached !== undefined) return cached;
  const line = `${status} ${STATUS_CODES[status] ?? "Unknown"}`;
  statusLines.set(status, line);
  return line;
}

/** Writes the whole response at once. */
export function writeWhole(
  response: EngineResponse,
  reply: WholeResponse,
  context: ResponseContext,
  withBody: boolean,
  close: boolean,
): void {
  response.cork(() => {
    writeHead(response, reply, context);
    if (reply.kind === "json" && withBody) {
      response.end(reply.coded ?? reply.text, close);
      return;
    }
    // `endWithoutBody(length)` would leave the response pending in this build of the engine and cut the connection at its next request.
    const length = reply.kind === "json" ? (reply.coded?.length ?? Buffer.byteLength(reply.text)) : reply.length;
    if (length !== undefined) response.writeHeader("Content-Length", String(length));
    if (close) response.writeHeader("Connection", "close");
    response.endWithoutBody();
  });
}

/**
 * Writes the last response of a connection whose next request has no certain start. The padding exceeds the engine's 16 KiB buffer: then
 * the engine writes and closes at once and serves no later request of the packet.
 */
export function writeLast(response: EngineResponse, reply: JsonResponse, context: ResponseContext): void {
  response.cork(() => {
    writeHead(response, reply, context);
    response.end(reply.text.padEnd(engineBufferBytes), true);
  });
}

const engineBufferBytes = 16 * 1024 + 1;
