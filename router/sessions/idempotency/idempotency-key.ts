import { invalidIdempotencyKey, repeatedIdempotencyKey } from "../../../shared/contract/errors.js";
import { idempotencyKeyMaxBytes } from "../../../shared/limits.js";
import type { HttpRequest } from "../../http/request.js";

/** Returns the header `Idempotency-Key`, or `undefined` without one. Throws 400 if it is malformed. Quotes are a part of the key. */
export function readIdempotencyKey({ headers }: Pick<HttpRequest, "headers">): string | undefined {
  const values = headers.get("idempotency-key");
  if (values === undefined) return undefined;
  const [key = "", ...others] = values;
  if (others.length > 0) throw repeatedIdempotencyKey();
  if (!/^[\x20-\x7e]+$/.test(key) || key.length > idempotencyKeyMaxBytes) throw invalidIdempotencyKey();
  return key;
}

/** Header of a response that repeats the result of an earlier request with the same key. */
export const replayedHeader = { "Idempotency-Replayed": "true" } as const;
