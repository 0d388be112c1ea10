import { headerMaxBytes, idempotencyKeyMaxBytes } from "../../shared/limits.js";
import type { Parameter, Reference } from "./document-types.js";

/** Request headers that several calls accept. */
export const headerParameters = {
  RequestId: {
    name: "x-request-id",
    in: "header",
    required: false,
    description: "Id of the request for logs and the response: printable ASCII without spaces. Do not use secrets or phone numbers.",
    schema: { type: "string", maxLength: 128, pattern: "^[\\x21-\\x7e]+$" },
    example: "order-4711",
  },
  TraceParent: {
    name: "traceparent",
    in: "header",
    required: false,
    description: "Trace of the request (W3C Trace Context). Its trace id is the request id if `x-request-id` is absent.",
    schema: { type: "string", pattern: "^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$" },
    example: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description:
      "Unique key of the request, in printable ASCII. A retry with the same key and body within 24 hours gets the first response, and nothing happens twice. Keys are separate for each session, and for `POST /session` for each caller.",
    schema: { type: "string", minLength: 1, maxLength: idempotencyKeyMaxBytes, pattern: "^[\\x20-\\x7e]+$" },
    example: "order-4711-confirmed",
  },
  LastEventId: {
    name: "Last-Event-ID",
    in: "header",
    required: false,
    description: "Id of the last event that you received. The stream resumes after it. The gateway keeps 50,000 events.",
    schema: { type: "string", pattern: "^\\d{1,15}-\\d{1,15}$" },
    example: "1795000000000-0",
  },
} as const satisfies Readonly<Record<string, Parameter>>;

export const parameter = (name: keyof typeof headerParameters): Reference => ({ $ref: `#/components/parameters/${name}` });

/** Headers that identify a request in logs and traces. */
export const tracing = [parameter("RequestId"), parameter("TraceParent")];

/** Methods of authentication. */
export const securitySchemes: Readonly<Record<string, object>> = {
  sessionId: {
    type: "apiKey",
    in: "header",
    name: "id",
    description: `The \`id\` from \`POST /session\`, at most ${headerMaxBytes} bytes. Not secret.`,
  },
  sessionSecret: {
    type: "apiKey",
    in: "header",
    name: "session-id",
    description: `The \`sessionId\` from \`POST /session\`, at most ${headerMaxBytes} bytes. Anyone with this value can act as the account.`,
  },
  passkeyToken: {
    type: "apiKey",
    in: "header",
    name: "passkey-token",
    description:
      "The `token` from `GET /session/passkey`. Use it instead of `session-id` for the passkey calls of the same attempt, in the browser of the account's owner.",
  },
  apiKey: {
    type: "apiKey",
    in: "header",
    name: "x-api-key",
    description:
      "API key. Its role decides what it allows. `admin`: full access. `tenant`: full access to the tenant's sessions, without `session-id`. `create`: only `POST /session`. `read`: read-only access to the tenant's sessions and the cluster. If no key is configured, local callers need none.",
  },
};
