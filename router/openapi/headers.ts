import { headerMaxBytes, idempotencyKeyMaxBytes } from "../../shared/limits.js";
import type { Header, Parameter, Reference } from "./document-types.js";

/** Headers of answers. */
export const headers: Readonly<Record<string, Header>> = {
  RequestId: {
    description:
      "Under which logs and the audit name the request: the caller's own `x-request-id`, else the trace of its `traceparent`, else 128 random bits. Every answer has it.",
    schema: { type: "string", maxLength: 128 },
    example: "4bf92f3577b34da6a3ce929d0e0e4736",
  },
  RetryAfter: { description: "Seconds to wait before the request is sent again.", schema: { type: "integer", minimum: 1 }, example: 1 },
  RateLimit: {
    description: "Where the tenant has a rate: requests that are left of it, and seconds until it is full again.",
    schema: { type: "string" },
    example: '"requests";r=19;t=1',
  },
  RateLimitPolicy: {
    description: "Where the tenant has a rate: requests that may come at once, and in how many seconds as many come back.",
    schema: { type: "string" },
    example: '"requests";q=20;w=2',
  },
  IdempotencyReplayed: {
    description: "`true` where the answer is that of an earlier request with the same `Idempotency-Key`.",
    schema: { type: "string", enum: ["true"] },
    example: "true",
  },
};

const header = (name: string): Reference => ({ $ref: `#/components/headers/${name}` });

export const requestIdHeader = { "x-request-id": header("RequestId") };
export const retryAfterHeader = { "Retry-After": header("RetryAfter") };
export const rateHeaders = { RateLimit: header("RateLimit"), "RateLimit-Policy": header("RateLimitPolicy") };
export const replayedHeader = { "Idempotency-Replayed": header("IdempotencyReplayed") };

/** Headers of requests that several calls take. */
export const headerParameters: Readonly<Record<string, Parameter>> = {
  RequestId: {
    name: "x-request-id",
    in: "header",
    required: false,
    description: "A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.",
    schema: { type: "string", maxLength: 128, pattern: "^[\\x21-\\x7e]+$" },
    example: "order-4711",
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description:
      "A request that is sent again with the same key and the same body within 24 hours is not done again: it gets the first one's answer. Printable ASCII. Belongs to the session; of `POST /session` to the caller.",
    schema: { type: "string", minLength: 1, maxLength: idempotencyKeyMaxBytes, pattern: "^[\\x20-\\x7e]+$" },
    example: "order-4711-confirmed",
  },
  LastEventId: {
    name: "Last-Event-ID",
    in: "header",
    required: false,
    description: "Id of the last event that was read: the stream goes on behind it, as far as events are kept (50,000).",
    schema: { type: "string", pattern: "^\\d{1,15}-\\d{1,15}$" },
    example: "1795000000000-0",
  },
};

export const parameter = (name: keyof typeof headerParameters): Reference => ({ $ref: `#/components/parameters/${name}` });

/** Ways in which a caller says who it is. */
export const securitySchemes: Readonly<Record<string, object>> = {
  sessionId: {
    type: "apiKey",
    in: "header",
    name: "id",
    description: `The \`id\` that the session was created with; at most ${headerMaxBytes} bytes. Not secret.`,
  },
  sessionSecret: {
    type: "apiKey",
    in: "header",
    name: "session-id",
    description: `The \`sessionId\` that the session was created with; at most ${headerMaxBytes} bytes. Whoever has it acts as the account.`,
  },
  apiKey: {
    type: "apiKey",
    in: "header",
    name: "x-api-key",
    description:
      "A key of the deployment. Its role says what it may do: `admin` everything; `tenant` everything with its tenant's sessions, for which it stands in the place of `session-id`; `create` `POST /session`; `read` to look at its tenant's sessions and the members. Where no key is configured, callers of this machine need none.",
  },
};
