import { headerMaxBytes, idempotencyKeyMaxBytes } from "../../shared/limits.js";
import type { Parameter, Reference } from "./document-types.js";

/** Headers of requests that several calls take. */
export const headerParameters = {
  RequestId: {
    name: "x-request-id",
    in: "header",
    required: false,
    description: "A name for this request, for logs and the answer: printable ASCII without blanks. Put no secret and no number into it.",
    schema: { type: "string", maxLength: 128, pattern: "^[\\x21-\\x7e]+$" },
    example: "order-4711",
  },
  TraceParent: {
    name: "traceparent",
    in: "header",
    required: false,
    description: "W3C Trace Context: of which trace the request is a part. Names the request where no `x-request-id` does.",
    schema: { type: "string", pattern: "^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$" },
    example: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
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
} as const satisfies Readonly<Record<string, Parameter>>;

export const parameter = (name: keyof typeof headerParameters): Reference => ({ $ref: `#/components/parameters/${name}` });

/** How a request may be found again. */
export const tracing = [parameter("RequestId"), parameter("TraceParent")];

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
  passkeyToken: {
    type: "apiKey",
    in: "header",
    name: "passkey-token",
    description:
      "The `token` of a linking by passkey: stands in the place of `session-id` for as long as that attempt lasts, where its challenge is answered and its code confirmed. For the browser of the account's owner.",
  },
  apiKey: {
    type: "apiKey",
    in: "header",
    name: "x-api-key",
    description:
      "A key of the deployment. Its role says what it may do: `admin` everything; `tenant` everything with its tenant's sessions, for which it stands in the place of `session-id`; `create` `POST /session`; `read` to look at its tenant's sessions and the members. Where no key is configured, callers of this machine need none.",
  },
};
