import { createHash, randomBytes } from "node:crypto";
import { isTraceId } from "../../shared/process/trace/traceparent.js";

/** As far as its trace needs it. */
export interface TracedEvent {
  readonly id: string;
  /** Of the request that replayed it; empty for one that was not. */
  readonly requestId: string;
}

/** The trace of an event's delivery: of the request that replayed it where that names one, else of its id, so that all attempts, whichever shard makes them, have the same. */
export function traceOf({ id, requestId }: TracedEvent): string {
  return isTraceId(requestId) ? requestId : createHash("sha256").update(`webhook|${id}`).digest("hex").slice(0, 32);
}

/** Under which receivers and our log know the delivery: the id of the request that replayed the event, else its trace. */
export function deliveryId(event: TracedEvent): string {
  return event.requestId === "" ? traceOf(event) : event.requestId;
}

/** Of one attempt: receivers log the first, and go on with the second (W3C Trace Context; recorded here only where there are spans, `post.ts`). */
export function traceHeaders(event: TracedEvent): { "x-request-id": string; traceparent: string } {
  return { "x-request-id": deliveryId(event), traceparent: `00-${traceOf(event)}-${randomBytes(8).toString("hex")}-00` };
}
