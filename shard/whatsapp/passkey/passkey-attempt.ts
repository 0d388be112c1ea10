import type { PasskeyOptions, PasskeyStep } from "../../../shared/contract/passkey.js";
import type { CompanionSide, PrimaryIdentity } from "./prologue.js";
import { passkeyCode } from "./pairing-code.js";

/** One linking by passkey, stored with the credentials of the device that is to be linked: whoever owns the session next goes on from here. */
export type PasskeyAttempt = AttemptParts & AttemptPhase;

interface AttemptParts {
  /** Stands for the session's secret in this attempt alone. */
  readonly token: string;
  /** Made of the secret that the scanned or typed code carried. */
  readonly handoffKey: Buffer;
  /** Until when the phone takes a proof by it, ms since 1970. */
  readonly handoffUntil: number;
  /** Replaces that secret once the phone is told, so that an attempt that is given up leaves nothing behind. */
  readonly advSecret: Buffer;
  /** When this phase ends by itself, ms since 1970: the platform's own limits go by the clock too. */
  readonly until: number;
}

type AttemptPhase =
  | { readonly phase: "challenge"; readonly options: PasskeyOptions }
  /** The answer has gone out, or may have. */
  | { readonly phase: "sent"; readonly side: CompanionSide; readonly proven: boolean }
  /** The phone has shown its key. Only now is our nonce shown, and no other key is taken after that. */
  | { readonly phase: "revealed"; readonly side: CompanionSide; readonly proven: boolean; readonly primary: PrimaryIdentity }
  /** Nobody stands between: the phone is told the device's keys. */
  | { readonly phase: "confirmed"; readonly side: CompanionSide; readonly primary: PrimaryIdentity };

/** What the session shows of it. Pure. */
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

/** Why an attempt is over whose phase lasted too long; for the account's owner. Pure. */
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
