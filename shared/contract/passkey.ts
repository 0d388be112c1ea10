import type { NotEmpty } from "./rules.js";

/** Linking an account that has a passkey: the browser of its owner answers the platform's challenge. */

/** What the platform asks a passkey: `PublicKeyCredentialRequestOptions` in their JSON form, for `PublicKeyCredential.parseRequestOptionsFromJSON`. Byte strings are base64url without padding. */
export interface PasskeyOptions {
  /** Signed by the passkey. */
  challenge: string;
  /** Milliseconds that the browser may take. */
  timeout?: number;
  /** Whose passkey it is. */
  rpId: string;
  /** The passkeys that may answer. */
  allowCredentials?: PasskeyDescriptor[];
  /** Whether the person must prove to be there. */
  userVerification?: string;
  /** As the platform sends them. */
  extensions?: Record<string, unknown>;
}

/** One passkey of the account. */
export interface PasskeyDescriptor {
  /** Its credential id. */
  id: string;
  /** `public-key`. */
  type: string;
  /** How a browser may reach it, such as `hybrid` for one on a phone. */
  transports?: string[];
}

/** What `toJSON()` of the browser's credential gives. Other fields of it are taken and not passed on. */
export interface PasskeyCredential {
  /** Id of the passkey, base64url. */
  id: string & NotEmpty;
  /** The same. */
  rawId: string & NotEmpty;
  /** `public-key`. */
  type: string & NotEmpty;
  /** The answer to the challenge. */
  response: PasskeyAssertion;
}

/** The signed answer of a passkey; byte strings in base64url without padding. */
export interface PasskeyAssertion {
  /** What was signed, as the browser saw it: the challenge and the page's origin. */
  clientDataJSON: string & NotEmpty;
  /** What the authenticator says of itself and of the person. */
  authenticatorData: string & NotEmpty;
  /** The signature over both. */
  signature: string & NotEmpty;
  /** Whose passkey it is, as the passkey says. */
  userHandle?: string | null;
}

/** POST /session/passkey. */
export interface PasskeyInput {
  credential: PasskeyCredential;
}

/** What a session shows of a passkey that its account is linked with. */
export interface PasskeyStatus {
  /**
   * `none`: nothing is asked for. `challenge`: `options` wait for the passkey. `sent`: the platform and the phone are to go on. `confirm`: `code` is to be compared with the phone's. `done`: the account is
   * linked. `failed`: `reason` says why it was not.
   */
  state: "none" | "challenge" | "sent" | "confirm" | "done" | "failed";
  /** For `navigator.credentials.get`, while the state is `challenge`. */
  options: PasskeyOptions | null;
  /** The eight characters that the phone must show too; empty in other states than `confirm`. */
  code: string;
  /** When this step ends by itself, ISO 8601; empty when nothing is under way. */
  expires: string;
  /** Why the account was not linked; empty otherwise. */
  reason: string;
  /** In the header `passkey-token` it stands for `session-id` here, and for this attempt alone; empty when nothing is under way. */
  token: string;
}

/** How far the linking of an account with a passkey has come; kept in the session's state. */
export interface PasskeyStep {
  step: "challenge" | "sent" | "confirm";
  /** There while the challenge is open. */
  options?: PasskeyOptions;
  /** Stands for the session's secret where the challenge is answered and confirmed, and nowhere else. */
  token: string;
  /** To be compared with the phone's; empty while there is none. */
  code: string;
  /** When this step ends by itself, ISO 8601. */
  expires: string;
}
