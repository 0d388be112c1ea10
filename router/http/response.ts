import { STATUS_CODES } from "node:http";
import type { HttpResponse as EngineResponse } from "uWebSockets.js";

export type AnswerHeaders = Readonly<Record<string, string>>;

/** What a handler answers, as data; the app alone writes it. */
export type HttpAnswer =
  | {
      readonly kind: "json";
      readonly status: number;
      readonly headers: AnswerHeaders;
      readonly text: string;
      /** The connection ends with the answer: where the next request begins is in doubt. */
      readonly close?: true;
    }
  /** Headers without a body: a HEAD answer (`length` is that of the body left out) or 304 (no length). */
  | { readonly kind: "empty"; readonly status: number; readonly headers: AnswerHeaders; readonly length?: number }
  /** `length` bytes in all; the body is asked for the next chunk only after the socket took the last one. */
  | {
      readonly kind: "stream";
      readonly status: number;
      readonly headers: AnswerHeaders;
      readonly length: number;
      readonly body: AsyncIterator<Uint8Array, unknown, undefined>;
    };

/** A JSON answer. Nothing that is JSON may be cached: records change, and a QR code is as good as a password. */
export function json(status: number, text: string, headers: AnswerHeaders = {}): HttpAnswer {
  return { kind: "json", status, text, headers: { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store", ...headers } };
}

/** The documents' error shape. */
export function jsonError(statusCode: number, message: string, headers: AnswerHeaders = {}): HttpAnswer {
  return json(statusCode, JSON.stringify({ statusCode, message }), headers);
}

/** The same answer, as the last one of its connection. */
export function closing(answer: HttpAnswer): HttpAnswer {
  return answer.kind === "json" ? { ...answer, close: true } : answer;
}

/** Status line and headers. Must run inside a cork, first. */
export function writeHead(response: EngineResponse, { status, headers }: HttpAnswer): void {
  response.writeStatus(`${status} ${STATUS_CODES[status] ?? "Unknown"}`);
  for (const [name, value] of Object.entries(headers)) response.writeHeader(name, value);
}

/** Everything but a stream, in one write. */
export function writeWhole(response: EngineResponse, answer: Exclude<HttpAnswer, { kind: "stream" }>, withBody: boolean, close: boolean): void {
  response.cork(() => {
    writeHead(response, answer);
    if (answer.kind === "json" && withBody) {
      response.end(answer.text, close);
      return;
    }
    // Not `endWithoutBody(length)`: this build of the engine keeps such a response pending and cuts the connection at its next request.
    const length = answer.kind === "json" ? Buffer.byteLength(answer.text) : answer.length;
    if (length !== undefined) response.writeHeader("Content-Length", String(length));
    if (close) response.writeHeader("Connection", "close");
    response.endWithoutBody();
  });
}
