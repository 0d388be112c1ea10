import { corsHeaders } from "./answer-headers.js";
import { routerErrors } from "./errors/router-errors.js";
import { fieldSentences } from "./errors/field-sentences.js";

const ofNoCall = [
  routerErrors.cannot,
  routerErrors.cannotBy,
  routerErrors.uncertainEnd,
  routerErrors.sandboxAnswerTooLong,
  routerErrors.sandboxDidNotAnswer,
];

/** Markdown. What holds for all calls. */
export const introduction = `An HTTP JSON API over many logged-in messenger accounts. **Variant A** is WhatsApp, **variant B** Telegram. A *session* is one account: create it, log it in, use it.

## Who is asking

Calls of a session carry its pair of headers, \`id\` and \`session-id\`; or \`id\` and an \`x-api-key\` whose role may use its tenant's sessions. To create a session, and for operators' calls, an \`x-api-key\` alone is needed. A wrong pair, another tenant's session and a deleted one are the same 404.

## Bodies

JSON of at most 64 KiB, 32 levels deep, with \`Content-Type: application/json\`. \`null\`, and a text in which nothing can be seen, are as if the field were not there. Fields that a call does not know are ignored, but refused by operators' calls.

## Errors

Every error is \`{statusCode, message}\`. What is wrong with fields of a body or query is 400 with a sentence for each, in the order of the fields, joined by newlines:

${Object.values(fieldSentences)
  .map((sentence) => `* \`${sentence}\``)
  .join("\n")}

Before any call is known: ${ofNoCall.map(({ error, when }) => `${error.status} \`${error.message}\` (${when.replace(/\.$/, "")})`).join("; ")}.

In \`x-error-code\` stands which error it is, for programs; where the platform refused and named a code, that is in \`x-platform-error\`. The sentences of 500 and 503 have their codes beside them below.

## Methods and pages of other origins

\`HEAD\` is answered wherever \`GET\` is, and \`OPTIONS\` everywhere. Where the deployment lets pages of other origins in (\`CORS_ORIGINS\`), every answer says so: ${Object.keys(
  corsHeaders,
)
  .map((name) => `\`${name}\``)
  .join(", ")}. Without it the one path open to others is WhatsApp's \`/session/passkey\`, to pages of \`https://web.whatsapp.com\`.

## Limits

429 and 503 carry \`Retry-After\` in seconds; nothing was begun. Where a tenant has a rate, answers say in \`RateLimit\` what is left of it.

## Doing a request once

\`POST /message\`, \`POST /status\` and \`POST /session\` take the header \`Idempotency-Key\`: a request that is sent again with the same key and body within 24 hours gets the first one's answer, with \`idempotency-replayed: true\`, and is not done again.
`;
