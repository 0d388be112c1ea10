import type { Envelope } from "../../shared/bus/envelope.js";
import type { PendingCall } from "./pending.js";

/** A call's envelope for the try that comes: with what is left of its time. */
export function envelopeOfTry({ envelope, call, startedAt }: PendingCall): Envelope {
  return { ...envelope, attempt: call.attempt, ttl: Math.max(1, Math.round(envelope.ttl - (performance.now() - startedAt))) };
}
