import type { NotEmpty } from "./rules.js";

/** Linking an account that has a passkey: the browser of its owner signs the platform's challenge. */

/**
 * `PublicKeyCredentialRequestOptions` from the platform as JSON, for `PublicKeyCredential.parseRequestOptionsFromJSON`. Byte strings
 * are base64url without padding.
 */
export interface PasskeyOptions {
  /** Bytes that the passkey signs. */
  challenge: string;
  /** Time limit for the browser in milliseconds. */
  timeout?: number;
  /** Domain of the passkey. */
  rpId: string;
  /** Passkeys that can sign. */
  allowCredentials?: PasskeyDescriptor[];
  /** WebAuthn requirement for verification of the person. */
  userVerification?: string;
  /** WebAuthn extensions from the platform. */
  extensions?: Record<string, unknown>;
}

/** One passkey of the account. */
export interface PasskeyDescriptor {
  /** Credential id. */
  id: string;
  /** `public-key`. */
  type: string;
  /** Ways to reach the passkey, such as `hybrid` for a passkey on a phone. */
  transports?: string[];
}

/** Result of `toJSON()` of the browser's credential. The gateway ignores other fields. */
export interface PasskeyCredential {
  /** Id of the passkey in base64url. */
  id: string & NotEmpty;
  /** Same value as `id`. */
  rawId: string & NotEmpty;
  /** `public-key`. */
  type: string & NotEmpty;
  /** Signed challenge. */
  response: PasskeyAssertion;
}

/** Signature of a passkey. Byte strings are base64url without padding. */
export interface PasskeyAssertion {
  /** Signed data of the browser: the challenge and the origin of the page. */
  clientDataJSON: string & NotEmpty;
  /** Signed data of the authenticator. */
  authenticatorData: string & NotEmpty;
  /** Signature over both. */
  signature: string & NotEmpty;
  /** Id of the passkey's user. */
  userHandle?: string | null;
}

/** POST /session/passkey. */
export interface PasskeyInput {
  credential: PasskeyCredential;
}

/** State of linking an account with a passkey. */
export interface PasskeyStatus {
  /**
   * `none`: no passkey is needed. `challenge`: sign `options` with the passkey. `sent`: waiting for the platform and the phone.
   * `confirm`: compare `code` with the code on the phone. `done`: the account is linked. `failed`: see `reason`.
   */
  state: "none" | "challenge" | "sent" | "confirm" | "done" | "failed";
  /** Options for `navigator.credentials.get` while the state is `challenge`. */
  options: PasskeyOptions | null;
  /** Eight characters that the phone must also show. Empty unless the state is `confirm`. */
  code: string;
  /** Time when this step expires, in ISO 8601. Empty if no linking is in progress. */
  expires: string;
  /** Reason why linking failed. Empty otherwise. */
  reason: string;
  /**
   * Send it in the header `passkey-token` instead of `session-id`. Valid for the passkey calls of this attempt only. Empty if no
   * linking is in progress.
   */
  token: string;
}

/** Progress of linking an account with a passkey; kept in the session's state. */
export interface PasskeyStep {
  step: "challenge" | "sent" | "confirm";
  /** Present while the challenge is open. */
  options?: PasskeyOptions;
  /** Replaces the session's secret in the calls that sign the challenge and confirm the code. */
  token: string;
  /** Code to compare with the one on the phone; empty until the platform sends it. */
  code: string;
  /** Time when this step expires, in ISO 8601. */
  expires: string;
}
