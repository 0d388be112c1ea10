import { randomFillSync } from "node:crypto";
import { parseTraceparent } from "../../shared/process/trace/traceparent.js";

/**
 * Returns the request's id for responses, logs and audit: the caller's `x-request-id` if it is 1 to 128 printable ASCII characters, else
 * the trace id of `traceparent`, else 128 random bits.
 */
export function requestIdOf(named: string | undefined, traceparent: string | undefined): string {
  if (named !== undefined && /^[\x21-\x7e]{1,128}$/.test(named)) return named;
  return parseTraceparent(traceparent)?.traceId ?? newRequestId();
}

/** Random bytes are drawn in batches, because each call costs more than its bytes. */
const idBytes = 16;
const random = Buffer.alloc(256 * idBytes);
let used = random.length;

function newRequestId(): string {
  if (used === random.length) used = randomFillSync(random).length - random.length;
  used += idBytes;
  return random.toString("hex", used - idBytes, used);
}
