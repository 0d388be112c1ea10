import { invalidIdempotencyKey, repeatedIdempotencyKey } from "../../../shared/contract/errors.js";
import { idempotencyKeyMaxBytes } from "../../../shared/limits.js";
import type { HttpRequest } from "../../http/request.js";

/** The header `Idempotency-Key`, `undefined` without one; 400 when it is not as it must be. What it says is the caller's: quotes, too, are a part of it. */
export function readIdempotencyKey({ headers }: Pick<HttpRequest, "headers">): string | undefined {
  const values = headers.get("idempotency-key");
  if (values === undefined) return undefined;
  const [key = "", ...others] = values;
  if (others.length > 0) throw repeatedIdempotencyKey();
  if (!/^[\x20-\x7e]+$/.test(key) || key.length > idempotencyKeyMaxBytes) throw invalidIdempotencyKey();
  return key;
}

/** Of an answer that an earlier request of the same key got. */
export const replayedHeader = { "Idempotency-Replayed": "true" } as const;
