import { STATUS_CODES } from "node:http";
import type { HttpResponse as EngineResponse } from "uWebSockets.js";
import { errorHeaders } from "./error-code.js";

export type AnswerHeaders = Readonly<Record<string, string>>;

/**
 * Headers that stay the same over many answers, as the one text in which the engine takes them: a call into it for each of seven headers
 * costs more than finding the bytes does (bench/findings.md).
 */
export class PreparedHeaders {
  readonly name: string;
  /** Of the first header, and all further lines. */
  readonly value: string;

  /** Throws when a text could break out of its line. Must not be empty. */
  constructor(headers: AnswerHeaders) {
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

/** What a handler answers, as data; the app alone writes it. */
export type HttpAnswer =
  | {
      readonly kind: "json";
      readonly status: number;
      readonly headers: AnswerHeaders;
      readonly prepared?: PreparedHeaders;
      readonly text: string;
      /** What goes out in the place of the text: its bytes, or the coding that the headers name. */
      readonly coded?: Uint8Array;
    }
  /** Headers without a body: a HEAD answer (`length` is that of the body left out), 204 or 304 (no length). */
  | {
      readonly kind: "empty";
      readonly status: number;
      readonly headers: AnswerHeaders;
      readonly prepared?: PreparedHeaders;
      readonly length?: number;
    }
  /** Bytes that are in memory already; must not be empty. `onEnd` runs once, when nobody needs them any more; `taken` of them went to the socket. */
  | {
      readonly kind: "bytes";
      /** Counts among the media streams. */
      readonly isMedia: boolean;
      readonly status: number;
      readonly headers: AnswerHeaders;
      readonly prepared?: PreparedHeaders;
      readonly bytes: Uint8Array;
      readonly onEnd?: (taken: number) => void;
    }
  /** `length` bytes in all; the body is asked for the next chunk only after the socket took the last one. */
  | {
      readonly kind: "stream";
      readonly status: number;
      readonly headers: AnswerHeaders;
      readonly prepared?: PreparedHeaders;
      readonly length: number;
      readonly body: AsyncIterator<Uint8Array, unknown, undefined>;
    }
  /** A body of which nobody knows how long it will be: it ends when the iterator does, and the connection when that fails. Its request counts as answered with the head. */
  | {
      readonly kind: "open-ended";
      readonly status: number;
      readonly headers: AnswerHeaders;
      readonly body: AsyncIterator<Uint8Array, unknown, undefined>;
    };

/** An answer without a body that may have to wait for its client. */
export type WholeAnswer = Extract<HttpAnswer, { kind: "json" | "empty" }>;
export type JsonAnswer = Extract<HttpAnswer, { kind: "json" }>;

export const jsonHeaders: AnswerHeaders = { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store" };

/** A JSON answer. Nothing that is JSON may be cached: records change, and a QR code is as good as a password. */
export function json(status: number, text: string, headers: AnswerHeaders = {}): JsonAnswer {
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

export function jsonError(statusCode: number, message: string, headers: AnswerHeaders = {}): JsonAnswer {
  const body = JSON.stringify({ statusCode, message } satisfies ErrorBody);
  return json(statusCode, body, { ...errorHeaders(statusCode, message), ...headers });
}

/** Whose answer it is: what every head says of it. */
export interface Asker {
  readonly requestId: string;
  /** Of all answers to its origin. */
  readonly lines: PreparedHeaders | undefined;
}

/** Status line and headers. Must run inside a cork, first. */
export function writeHead(response: EngineResponse, answer: HttpAnswer, { requestId, lines }: Asker): void {
  const { status, headers } = answer;
  // 200 is what the engine writes by itself.
  if (status !== 200) response.writeStatus(statusLine(status));
  if ("prepared" in answer && answer.prepared !== undefined) response.writeHeader(answer.prepared.name, answer.prepared.value);
  if (lines !== undefined) response.writeHeader(lines.name, lines.value);
  response.writeHeader("x-request-id", requestId);
  for (const name in headers) response.writeHeader(name, headers[name] ?? "");
}

const statusLines = new Map<number, string>();

function statusLine(status: number): string {
  const known = statusLines.get(status);
  if (known !== undefined) return known;
  const line = `${status} ${STATUS_CODES[status] ?? "Unknown"}`;
  statusLines.set(status, line);
  return line;
}

/** In one write. */
export function writeWhole(response: EngineResponse, answer: WholeAnswer, asker: Asker, withBody: boolean, close: boolean): void {
  response.cork(() => {
    writeHead(response, answer, asker);
    if (answer.kind === "json" && withBody) {
      response.end(answer.coded ?? answer.text, close);
      return;
    }
    // Not `endWithoutBody(length)`: this build of the engine keeps such a response pending and cuts the connection at its next request.
    const length = answer.kind === "json" ? (answer.coded?.length ?? Buffer.byteLength(answer.text)) : answer.length;
    if (length !== undefined) response.writeHeader("Content-Length", String(length));
    if (close) response.writeHeader("Connection", "close");
    response.endWithoutBody();
  });
}

/**
 * The last answer of a connection on which nobody can tell where the next request begins: nothing behind this one is looked at. While the engine reads a
 * packet it gathers what is written, and would serve the packet's other requests first. What exceeds its buffer of 16 KiB is written at once, and then the
 * connection closes at once: hence the blanks, which JSON allows. A HEAD gets them too; its client does not read that far.
 */
export function writeLast(response: EngineResponse, answer: JsonAnswer, asker: Asker): void {
  response.cork(() => {
    writeHead(response, answer, asker);
    response.end(answer.text.padEnd(engineBufferBytes), true);
  });
}

const engineBufferBytes = 16 * 1024 + 1;
