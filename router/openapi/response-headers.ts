import { codings } from "../http/accept-encoding.js";
import { errorCodes } from "../http/error-code.js";
import type { Header, Reference } from "./document-types.js";

const text = { type: "string" } as const;

/** Response headers. */
export const headers = {
  RequestId: {
    description:
      "Id of the request in logs and in the audit log: the request's `x-request-id`, else the trace id of its `traceparent`, else a random id. Every response has it.",
    schema: { type: "string", maxLength: 128 },
    example: "4bf92f3577b34da6a3ce929d0e0e4736",
  },
  ErrorCode: {
    description: "Error code for programs. Every error has it.",
    schema: { type: "string", enum: errorCodes },
    example: "session-not-connected",
  },
  PlatformError: {
    description: "Error code of the platform, if the platform rejected the request with a code (`x-error-code: platform-refused`).",
    schema: text,
    example: "CHAT_ADMIN_REQUIRED",
  },
  NoStore: {
    description: "JSON responses must not be cached.",
    schema: { type: "string", enum: ["no-store"] },
    example: "no-store",
  },
  ContentEncoding: {
    description: "Compression of the body. Bodies from 1 KiB are compressed if the request's `Accept-Encoding` allows it.",
    schema: { type: "string", enum: codings },
    example: "gzip",
  },
  Vary: { description: "Request headers that change the response.", schema: text, example: "Accept-Encoding" },
  Unbuffered: {
    description: "Tells proxies not to buffer the response.",
    schema: { type: "string", enum: ["no"] },
    example: "no",
  },
  RetryAfter: { description: "Seconds to wait before a retry.", schema: { type: "integer", minimum: 1 }, example: 1 },
  RateLimit: {
    description: "Remaining requests, and seconds until the full limit is available. Present if the tenant has a rate limit.",
    schema: text,
    example: '"requests";r=19;t=1',
  },
  RateLimitPolicy: {
    description:
      "Rate limit: the number of requests, and the seconds until as many are available again. Present if the tenant has a rate limit.",
    schema: text,
    example: '"requests";q=20;w=2',
  },
  IdempotencyReplayed: {
    description: "`true` if this is the response to an earlier request with the same `Idempotency-Key`.",
    schema: { type: "string", enum: ["true"] },
    example: "true",
  },
} as const satisfies Readonly<Record<string, Header>>;

type HeaderName = keyof typeof headers;
type HeadersOfResponse = Readonly<Record<string, Header | Reference>>;

const header = (name: HeaderName): Reference => ({ $ref: `#/components/headers/${name}` });

const requestId = { "x-request-id": header("RequestId") };
const retryAfter = { "Retry-After": header("RetryAfter") };
const vary = { Vary: header("Vary") };

export const everyHeader = requestId;
export const jsonHeaders = { ...requestId, "Cache-Control": header("NoStore") };
export const packedHeaders = { "Content-Encoding": header("ContentEncoding"), ...vary };
export const streamHeaders = { ...jsonHeaders, "X-Accel-Buffering": header("Unbuffered") };
export const rateHeaders = { RateLimit: header("RateLimit"), "RateLimit-Policy": header("RateLimitPolicy") };
export const replayedHeader = { "Idempotency-Replayed": header("IdempotencyReplayed") };

/** Returns the headers of errors with this status. */
export function headersOfErrors(status: number): HeadersOfResponse {
  return {
    ...jsonHeaders,
    "x-error-code": header("ErrorCode"),
    ...(status === 500 ? { "x-platform-error": header("PlatformError") } : {}),
    ...(status === 429 || status === 503 ? retryAfter : {}),
    ...(status === 429 ? rateHeaders : {}),
  };
}
