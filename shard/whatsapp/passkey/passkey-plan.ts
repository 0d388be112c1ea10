import type { PasskeyOptions } from "../../../shared/contract/passkey.js";
import { lateReason, type PasskeyAttempt } from "./passkey-attempt.js";
import type { PasskeyFailure } from "./passkey-failure.js";
import type { PrimaryIdentity } from "./prologue.js";

export type InPhase<Phase extends PasskeyAttempt["phase"]> = PasskeyAttempt & { phase: Phase };

/** The attempt has failed. `reason` is for the account's owner. */
export interface FailedAttempt {
  readonly kind: "fail";
  readonly outcome: PasskeyFailure;
  readonly reason: string;
}

const leave = { kind: "leave" } as const;
const failed = (outcome: PasskeyFailure, reason: string): FailedAttempt => ({ kind: "fail", outcome, reason });
const unreadableChallenge = failed("unreadable", "the platform's challenge for the passkey could not be read");

/** Decides about a challenge, which the platform sends by itself or when the device registers again. */
export function planChallenge(
  attempt: PasskeyAttempt | undefined,
  options: PasskeyOptions | undefined,
): typeof leave | FailedAttempt | { readonly kind: "ask"; readonly options: PasskeyOptions } {
  if (options === undefined) return unreadableChallenge;
  const isSame = attempt?.phase === "challenge" && attempt.options.challenge === options.challenge;
  return isSame ? leave : { kind: "ask", options };
}

/** Decides about the key that the phone has sent. `untilOf` returns when the next phase times out. */
export function planReveal(
  attempt: PasskeyAttempt | undefined,
  primary: PrimaryIdentity | undefined,
  untilOf: (proven: boolean) => number,
): typeof leave | FailedAttempt | { readonly kind: "reveal"; readonly revealed: InPhase<"revealed">; readonly isNew: boolean } {
  if (attempt === undefined || attempt.phase === "challenge") return leave;
  if (primary === undefined) return failed("unreadable", "the phone's key could not be read");
  // An attacker who knows this device's nonce could choose a key with the same code.
  if (attempt.phase !== "sent" && !isSame(attempt.primary, primary)) return failed("changed", "the phone's key changed on the way");
  if (attempt.phase === "confirmed") return leave;
  const { token, advSecret, handoffUntil, handoffKey, side, proven } = attempt;
  const until = untilOf(proven);
  const revealed = { phase: "revealed", ...{ token, advSecret, handoffUntil, handoffKey, side, proven, primary }, until } as const;
  return { kind: "reveal", revealed, isNew: attempt.phase === "sent" };
}

/** Returns the phase in which the phone may link the device. */
export function confirmedOf(
  { token, advSecret, handoffUntil, handoffKey, side, primary }: InPhase<"revealed">,
  until: number,
): InPhase<"confirmed"> {
  return { phase: "confirmed", token, advSecret, handoffUntil, handoffKey, side, primary, until };
}

/** Decides about an attempt whose limit has expired, or whose clock has changed. */
export function planLate(
  attempt: PasskeyAttempt | undefined,
  { paired, now }: { readonly paired: boolean; readonly now: number },
): typeof leave | FailedAttempt | { readonly kind: "wait" } {
  if (attempt === undefined || paired) return leave;
  return attempt.until > now ? { kind: "wait" } : failed("late", lateReason(attempt));
}

/** True when the owner's assertion is accepted now. */
export function acceptsAssertion(attempt: PasskeyAttempt | undefined, now: number): attempt is InPhase<"challenge"> {
  return attempt?.phase === "challenge" && attempt.until > now;
}

/** True when the owner must confirm that the codes match: there is no proof, and the phase has not timed out. */
export function isConfirmable(attempt: PasskeyAttempt | undefined, now: number): attempt is InPhase<"revealed"> {
  return attempt?.phase === "revealed" && !attempt.proven && attempt.until > now;
}

function isSame(one: PrimaryIdentity, other: PrimaryIdentity): boolean {
  return one.publicKey.equals(other.publicKey) && one.nonce.equals(other.nonce);
}
