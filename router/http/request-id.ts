import { randomFillSync } from "node:crypto";
import { parseTraceparent } from "../../shared/process/trace/traceparent.js";

/**
 * Under which a request is found in answers, logs and the audit: the caller's `x-request-id`, else the trace that its `traceparent` names, else 128 random bits of ours.
 * A caller's is printable ASCII without blanks, 128 characters at most, so that it can break neither a header nor a log line; any other is replaced.
 */
export function requestIdOf(named: string | undefined, traceparent: string | undefined): string {
  if (named !== undefined && /^[\x21-\x7e]{1,128}$/.test(named)) return named;
  return parseTraceparent(traceparent)?.traceId ?? newRequestId();
}

/** Random bytes come in packets: every request needs some, and each call costs more than its bytes. */
const idBytes = 16;
const random = Buffer.alloc(256 * idBytes);
let used = random.length;

function newRequestId(): string {
  if (used === random.length) used = randomFillSync(random).length - random.length;
  used += idBytes;
  return random.toString("hex", used - idBytes, used);
}
