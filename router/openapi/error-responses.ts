import { errorHeaders } from "../http/error-code.js";
import { headersOfErrors } from "./response-headers.js";
import type { ResponseObject, Example, Reference } from "./document-types.js";
import type { Catalog, ErrorText } from "./errors/error-text.js";
import { routerErrors } from "./errors/router-errors.js";
import { sharedErrors } from "./errors/shared-errors.js";
import { refTo } from "./json-schema.js";
import { telegramErrors } from "./telegram/errors.js";
import { whatsappErrors } from "./whatsapp/errors.js";

/** All errors of the contract by the name of their example. */
const named: ReadonlyMap<string, ErrorText> = new Map([
  ...entries("", sharedErrors),
  ...entries("", routerErrors),
  ...entries("whatsapp", whatsappErrors),
  ...entries("telegram", telegramErrors),
]);
const names = new Map([...named].map(([name, text]) => [text, name]));

export const errorTexts: readonly ErrorText[] = [...named.values()];

/** One example for each error. Responses refer to them by name. */
export const errorExamples: Readonly<Record<string, Example>> = Object.fromEntries(
  [...named].map(([name, { error, when }]) => [name, { summary: when, value: { statusCode: error.status, message: error.message } }]),
);

/**
 * Returns the error responses of a call by status. `ruleErrors`: errors that its rules give for an empty request. `more`: headers of every
 * error.
 */
export function errorResponses(
  texts: readonly ErrorText[],
  ruleErrors: { readonly status: number; readonly message: string }[] = [],
  more: ResponseObject["headers"] = {},
): Record<string, ResponseObject> {
  const statuses = [...new Set(texts.map(({ error }) => error.status))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const same = [...new Set(texts.filter(({ error }) => error.status === status))];
      const own = ruleErrors.filter((one) => one.status === status);
      return [String(status), errorResponse(status, same, own, more)];
    }),
  );
}

function errorResponse(
  status: number,
  texts: readonly ErrorText[],
  ruleErrors: readonly { readonly status: number; readonly message: string }[],
  more: ResponseObject["headers"],
): ResponseObject {
  const examples: Record<string, Example | Reference> = {};
  for (const text of texts) examples[names.get(text) ?? "unnamed"] = { $ref: `#/components/examples/${names.get(text) ?? "unnamed"}` };
  for (const { message } of ruleErrors)
    examples["emptyRequest"] = { summary: "The request has no fields.", value: { statusCode: status, message } };
  return {
    description: texts.map(({ error, when }) => `* \`${error.message}\`${codeOf(error)}: ${when}`).join("\n"),
    headers: { ...headersOfErrors(status), ...more },
    content: { "application/json": { schema: refTo("Error"), examples } },
  };
}

/** Returns the error code where the status does not imply it. */
function codeOf({ status, message }: ErrorText["error"]): string {
  return status === 500 || status === 503 ? ` (${errorHeaders(status, message)["x-error-code"]})` : "";
}

function entries(prefix: string, catalog: Catalog<Record<string, unknown>>): [string, ErrorText][] {
  return Object.entries(catalog).map(([name, text]) => [
    prefix === "" ? name : `${prefix}${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    text,
  ]);
}
