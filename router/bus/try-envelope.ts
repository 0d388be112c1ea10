import type { OpenEnvelope } from "../../shared/bus/envelope.js";
import type { PendingCall } from "./pending.js";

/** Returns the envelope of the next try, with the remaining time as its ttl. `unsure`: Redis may already have this try. */
export function envelopeOfTry({ envelope, call, startedAt }: PendingCall, unsure = false): OpenEnvelope {
  const { attempt } = call;
  const ttl = Math.max(1, Math.round(envelope.ttl - (performance.now() - startedAt)));
  return { ...envelope, attempt, ttl, isFirstTry: attempt === 0 && !unsure, ...(call.unrecorded ? { begun: true } : {}) };
}
