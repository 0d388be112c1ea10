import type { OpenEnvelope } from "../../shared/bus/envelope.js";
import type { PendingCall } from "./pending.js";

/** Returns the envelope of the next try, with the remaining time as its ttl. */
export function envelopeOfTry({ envelope, call, startedAt }: PendingCall): OpenEnvelope {
  return { ...envelope, attempt: call.attempt, ttl: Math.max(1, Math.round(envelope.ttl - (performance.now() - startedAt))) };
}
