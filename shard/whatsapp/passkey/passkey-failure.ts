import type { PasskeyAttempt } from "./passkey-attempt.js";

export const passkeyPhases = ["challenge", "sent", "revealed", "confirmed"] as const satisfies readonly PasskeyAttempt["phase"][];
export type PasskeyPhase = (typeof passkeyPhases)[number];

/**
 * Why a linking by passkey came to nothing: something of the platform's or the phone's could not be read, one of them refused, the phone's key changed, the platform knew
 * nothing of it any more, nobody answered in time, or its credentials were gone.
 */
export const passkeyFailures = ["unreadable", "refused", "changed", "forgotten", "late", "interrupted"] as const;
export type PasskeyFailure = (typeof passkeyFailures)[number];

/** Called as things happen. */
export interface PasskeyMetrics {
  /** An attempt ended in this phase. */
  onPasskeyEnded?(phase: PasskeyPhase, outcome: PasskeyFailure | "linked"): void;
}
