import type { PasskeyOptions, PasskeyStep } from "../../../shared/contract/passkey.js";
import type { CompanionSide, PrimaryIdentity } from "./prologue.js";
import { passkeyCode } from "./pairing-code.js";

/** One linking by passkey, stored with the device's credentials, so that the session's next owner can continue it. */
export type PasskeyAttempt = AttemptParts & AttemptPhase;

interface AttemptParts {
  /** Authorizes this attempt alone, instead of the session's secret. */
  readonly token: string;
  /** Derived from the secret in the scanned or typed code. */
  readonly handoffKey: Buffer;
  /** Until when the phone accepts a proof made with `handoffKey`, in ms since 1970. */
  readonly handoffUntil: number;
  /** Replaces the code's secret when the pairing request is sent, so that a cancelled attempt leaves no usable secret. */
  readonly advSecret: Buffer;
  /** When this phase times out, in ms since 1970. The platform's limits use wall-clock time too. */
  readonly until: number;
}

type AttemptPhase =
  | { readonly phase: "challenge"; readonly options: PasskeyOptions }
  /** The credential was sent, or may have been. */
  | { readonly phase: "sent"; readonly side: CompanionSide; readonly proven: boolean }
  /** The phone has sent its key. Only now is this device's nonce sent, and no other phone key is accepted afterwards. */
  | { readonly phase: "revealed"; readonly side: CompanionSide; readonly proven: boolean; readonly primary: PrimaryIdentity }
  /** The codes match or the proof was sent, so the phone may get the device's keys. */
  | { readonly phase: "confirmed"; readonly side: CompanionSide; readonly primary: PrimaryIdentity };

/** Returns the step of the attempt that the session's state shows. */
export function stepOf(attempt: PasskeyAttempt): PasskeyStep {
  const shown = { token: attempt.token, code: "", expires: new Date(attempt.until).toISOString() };
  switch (attempt.phase) {
    case "challenge":
      return { step: "challenge", options: attempt.options, ...shown };
    case "revealed":
      return attempt.proven
        ? { step: "sent", ...shown }
        : { step: "confirm", ...shown, code: passkeyCode(attempt.primary, attempt.side.nonce) };
    case "sent":
    case "confirmed":
      return { step: "sent", ...shown };
    default:
      return attempt satisfies never;
  }
}

/** Returns why an attempt whose phase timed out has failed, for the account's owner. */
export function lateReason({ phase }: Pick<PasskeyAttempt, "phase">): string {
  switch (phase) {
    case "challenge":
      return "the passkey timed out";
    case "sent":
      return "the platform accepted the passkey, but the phone did not continue in time";
    case "revealed":
      return "the code was not confirmed in time";
    case "confirmed":
      return "the phone did not link the device in time";
    default:
      return phase satisfies never;
  }
}
