import { routerErrors } from "./errors/router-errors.js";
import { fieldSentences } from "./errors/field-sentences.js";

const errorsBeforeCalls = [
  routerErrors.cannot,
  routerErrors.cannotBy,
  routerErrors.uncertainEnd,
  routerErrors.sandboxResponseTooLong,
  routerErrors.sandboxDidNotRespond,
];

/** Markdown about all calls. Calls come first, lists of errors last. */
export const introduction = `Send and receive messages through many WhatsApp and Telegram accounts. A *session* is one linked account: create a session, link the account, then use the session. Paths of WhatsApp are **variant A** of the API, paths of Telegram are **variant B**.

## Authentication

| call | headers |
|---|---|
| calls of a session | \`id\` and \`session-id\`; or \`id\` and an \`x-api-key\` whose role may use the tenant's sessions |
| create a session, operators' calls | \`x-api-key\` |

A wrong \`session-id\`, a session of another tenant and a deleted session all get the same 404.

## Requests

Send JSON with \`Content-Type: application/json\`: at most 64 KiB, at most 32 levels deep. The gateway treats \`null\` and blank strings as absent fields. Calls under \`/message/\` and operators' calls reject unknown fields; other calls of a session ignore them.

## Idempotency

\`POST /message\`, calls under \`/message/\`, changes of groups, \`POST /status\` and \`POST /session\` accept the header \`Idempotency-Key\`. If you repeat a request with the same key and the same body within 24 hours, the gateway returns the first response with \`idempotency-replayed: true\` and does nothing else.

## Rate limits

Responses 429 and 503 have \`Retry-After\` in seconds. The gateway has not started the request, so it is safe to retry. If your tenant has a rate limit, responses show the rest of it in \`RateLimit\`.

## Browsers and other methods

\`HEAD\` works wherever \`GET\` does, and \`OPTIONS\` works on every path. This document leaves both out. If the deployment sets \`CORS_ORIGINS\`, pages of those origins can call the API; every response then has \`Access-Control-Allow-Origin\`, \`Access-Control-Expose-Headers\` and \`Vary\`. Pages of \`https://web.whatsapp.com\` can always call \`/session/passkey\` of WhatsApp.

## Errors

Every error has the body \`{statusCode, message}\`. Programs should read the header \`x-error-code\`: messages are for people. If the platform refused the request and named a code, \`x-platform-error\` has that code. Responses 500 and 503 below show the error code in brackets.

These errors can come before the gateway knows the call:

${errorsBeforeCalls.map(({ error, when }) => `* ${error.status} \`${error.message}\`: ${when}`).join("\n")}

If fields of the body or query are invalid, the gateway responds with 400 and one sentence per problem, in the order of the fields, separated by newlines:

${Object.values(fieldSentences)
  .map((sentence) => `* \`${sentence}\``)
  .join("\n")}
`;
