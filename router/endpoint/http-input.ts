import { invalidEncoding } from "../http/errors.js";
import type { HttpRequest } from "../http/request.js";
import type { HttpInput } from "./endpoint.js";
import { readJson } from "./json-body.js";

/** Decodes a request for a `parse` function: the path's percent-encoding, the query, and the JSON body if the method has one. */
export async function toHttpInput(request: HttpRequest): Promise<HttpInput> {
  return {
    params: decodeParams(request.params),
    query: parseQuery(request.query),
    body: carriesBody.has(request.method) ? await readJson(request) : {},
  };
}

/** Methods whose requests have a body. */
export const carriesBody = new Set(["POST", "PUT", "PATCH"]);

function decodeParams(params: HttpRequest["params"]): HttpInput["params"] {
  try {
    return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch (cause) {
    throw invalidEncoding(cause);
  }
}

/** A repeated parameter becomes an array, which no validator accepts as a string. */
function parseQuery(text: string): HttpInput["query"] {
  if (text === "") return {};
  const values = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const before = values.get(name);
    values.set(name, before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value]);
  }
  return Object.fromEntries(values);
}
