import { codings } from "../http/accept-encoding.js";
import { errorCodes } from "../http/error-code.js";
import type { Header, Reference } from "./document-types.js";

const text = { type: "string" } as const;

/** Headers of answers. */
export const headers = {
  RequestId: {
    description:
      "Under which logs and the audit name the request: the caller's own `x-request-id`, else the trace of its `traceparent`, else 128 random bits. Every answer has it.",
    schema: { type: "string", maxLength: 128 },
    example: "4bf92f3577b34da6a3ce929d0e0e4736",
  },
  ErrorCode: {
    description: "Which error it is, for programs: the sentence is for people. Every error has it.",
    schema: { type: "string", enum: errorCodes },
    example: "session-not-connected",
  },
  PlatformError: {
    description: "The platform's own code, where it refused and named one (`x-error-code: platform-refused`).",
    schema: text,
    example: "CHAT_ADMIN_REQUIRED",
  },
  NoStore: {
    description: "Nothing that is JSON may be kept: records change, and a QR code is as good as a password.",
    schema: { type: "string", enum: ["no-store"] },
    example: "no-store",
  },
  ContentEncoding: {
    description: "How the body is packed: from 1 KiB on, for callers whose `Accept-Encoding` names that.",
    schema: { type: "string", enum: codings },
    example: "gzip",
  },
  Vary: { description: "Headers of requests by which answers differ.", schema: text, example: "Accept-Encoding" },
  Unbuffered: {
    description: "Keeps proxies from gathering the answer before they pass it on.",
    schema: { type: "string", enum: ["no"] },
    example: "no",
  },
  RetryAfter: { description: "Seconds to wait before the request is sent again.", schema: { type: "integer", minimum: 1 }, example: 1 },
  RateLimit: {
    description: "Where the tenant has a rate: requests that are left of it, and seconds until it is full again.",
    schema: text,
    example: '"requests";r=19;t=1',
  },
  RateLimitPolicy: {
    description: "Where the tenant has a rate: requests that may come at once, and in how many seconds as many come back.",
    schema: text,
    example: '"requests";q=20;w=2',
  },
  IdempotencyReplayed: {
    description: "`true` where the answer is that of an earlier request with the same `Idempotency-Key`.",
    schema: { type: "string", enum: ["true"] },
    example: "true",
  },
} as const satisfies Readonly<Record<string, Header>>;

type HeaderName = keyof typeof headers;
type AnswerHeaders = Readonly<Record<string, Header | Reference>>;

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

/** Of errors with this status. */
export function headersOfErrors(status: number): AnswerHeaders {
  return {
    ...jsonHeaders,
    "x-error-code": header("ErrorCode"),
    ...(status === 500 ? { "x-platform-error": header("PlatformError") } : {}),
    ...(status === 429 || status === 503 ? retryAfter : {}),
    ...(status === 429 ? rateHeaders : {}),
  };
}
