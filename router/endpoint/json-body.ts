import { ApiError } from "../../shared/contract/api-error.js";
import { mustBeObject } from "../../shared/contract/rules.js";
import { jsonMaxDepth } from "../../shared/limits.js";
import * as errors from "../http/errors.js";
import type { HttpRequest } from "../http/request.js";

/**
 * Reads the JSON object of a request body; an empty body is an empty object. Rejects with 400 if it is not declared as JSON, compressed,
 * not well-formed UTF-8 JSON, nested too deeply, or not an object.
 */
export async function readJson(request: HttpRequest): Promise<object> {
  const bytes = await request.body();
  if (bytes.length === 0) return {};
  if (!isJson(request)) throw errors.wrongContentType();
  if (isPacked(request)) throw errors.wrongContentEncoding();
  if (depthOf(bytes) > jsonMaxDepth) throw errors.bodyTooDeep();
  const value = parse(bytes);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new ApiError(400, mustBeObject("body"));
  return value;
}

function parse(bytes: Buffer): unknown {
  try {
    const text = strictUtf8.decode(bytes);
    return JSON.parse(text, halfCharacter.test(text) ? wellFormed : undefined);
  } catch (cause) {
    throw errors.invalidJson(cause);
  }
}

/**
 * An escape that may be half a character, as in text cut inside an emoji. It has no UTF-8 form and platform clients could not read it, so
 * it becomes the replacement character.
 */
const halfCharacter = /\\u[dD][89a-fA-F]/;
const wellFormed = (_key: string, value: unknown): unknown => (typeof value === "string" ? Buffer.from(value).toString() : value);

const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

function isJson({ headers }: HttpRequest): boolean {
  const values = headers.get("content-type");
  return values?.length === 1 && /^application\/json\s*(;|$)/i.test(values[0] ?? "");
}

/** Compressed bodies are rejected: a few bytes could expand beyond the body limit. */
function isPacked({ headers }: HttpRequest): boolean {
  return headers.get("content-encoding")?.some((coding) => !/^\s*(identity)?\s*$/i.test(coding)) ?? false;
}

/** Returns the deepest nesting of brackets outside strings, counted before the parser runs. */
function depthOf(bytes: Buffer): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (inString) {
      if (byte === backslash) index++;
      else if (byte === quote) inString = false;
    } else if (byte === quote) inString = true;
    else if (byte === openBrace || byte === openBracket) deepest = Math.max(deepest, ++depth);
    else if (byte === closeBrace || byte === closeBracket) depth--;
  }
  return deepest;
}

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = Buffer.from('"\\{}[]');
