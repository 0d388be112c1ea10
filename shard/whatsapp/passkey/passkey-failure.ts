import type { PasskeyAttempt } from "./passkey-attempt.js";

export const passkeyPhases = ["challenge", "sent", "revealed", "confirmed"] as const satisfies readonly PasskeyAttempt["phase"][];
export type PasskeyPhase = (typeof passkeyPhases)[number];

/**
 * Why a linking by passkey failed: unreadable data, a refusal, a changed phone key, an attempt unknown to the platform, a timeout, or lost
 * credentials.
 */
export const passkeyFailures = ["unreadable", "refused", "changed", "forgotten", "late", "interrupted"] as const;
export type PasskeyFailure = (typeof passkeyFailures)[number];

/** Callbacks for metrics. */
export interface PasskeyMetrics {
  /** An attempt ended in this phase. */
  onPasskeyEnded?(phase: PasskeyPhase, outcome: PasskeyFailure | "linked"): void;
}
