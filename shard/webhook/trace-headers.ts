import { createHash, randomBytes } from "node:crypto";
import { isTraceId } from "../../shared/process/trace/traceparent.js";

/** The part of an event that its trace needs. */
export interface TracedEvent {
  readonly id: string;
  /** Id of the request that replayed it; empty without one. */
  readonly requestId: string;
}

/**
 * Returns the trace id of an event's delivery: that of the replaying request, else a hash of the event id, so that all attempts of all
 * shards have the same.
 */
export function traceOf({ id, requestId }: TracedEvent): string {
  return isTraceId(requestId) ? requestId : createHash("sha256").update(`webhook|${id}`).digest("hex").slice(0, 32);
}

/** Returns the id that receivers and our log know the delivery by: that of the replaying request, else its trace id. */
export function deliveryId(event: TracedEvent): string {
  return event.requestId === "" ? traceOf(event) : event.requestId;
}

/**
 * Returns the trace headers of one attempt. Receivers log the first and continue the second (W3C Trace Context). Only spans in `post.ts`
 * are recorded here.
 */
export function traceHeaders(event: TracedEvent): { "x-request-id": string; traceparent: string } {
  return { "x-request-id": deliveryId(event), traceparent: `00-${traceOf(event)}-${randomBytes(8).toString("hex")}-00` };
}
