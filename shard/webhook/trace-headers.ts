import { createHash, randomBytes } from "node:crypto";

/** The trace of an event's delivery: of its id, so that all attempts, whichever shard makes them, have the same. */
export function traceOf(eventId: string): string {
  return createHash("sha256").update(`webhook|${eventId}`).digest("hex").slice(0, 32);
}

/** Of one attempt: receivers log the first, and go on with the second (W3C Trace Context; recorded here only where there are spans, `post.ts`). */
export function traceHeaders(eventId: string): { "x-request-id": string; traceparent: string } {
  const trace = traceOf(eventId);
  return { "x-request-id": trace, traceparent: `00-${trace}-${randomBytes(8).toString("hex")}-00` };
}
