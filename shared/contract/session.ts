/** An endpoint or command without input. */
export type Empty = Record<string, never>;

/** Where events go; both are empty when the webhook is off. */
export interface WebhookSettings {
  /** The receiver: an `http` or `https` URL of at most 2,048 bytes. */
  url: string;
  /** Sent in the header `x-token` of each event, and the secret of its signature: printable ASCII, at most 2,048 bytes. */
  token: string;
}

/** One account: who it is, and how far its login has come. Variant B's record; variant A shows the same one with more. */
export interface SessionRecord {
  /** Id of the session, 24 hex digits. Not secret: it is a part of media links. */
  id: string;
  /** The platform's id of the account; empty before the first login. */
  generatedId: string;
  /** Name of the account; its username, phone or id when it has none. */
  name: string;
  /** Username without `@`; empty when there is none. */
  username: string;
  /** Number of the account, in international format. */
  phone: string;
  /** The session's secret, as the caller sent it; empty when an API key stood in its place. */
  sessionId: string;
  /** True when the account is logged in and connected now. */
  isConnected: boolean;
  /** QR code as a PNG in base64, without a `data:` prefix; replaced about every 30 seconds. Empty when there is none to scan, and in the first seconds. */
  qrcode: string;
  /** True when the code was scanned, and the account's two-step password is wanted. */
  isPasswordRequired: boolean;
  /** The hint to that password, or why the account cannot log in; may be empty. */
  passwordHint: string;
  /** Small profile photo as a data URI; may be empty. */
  picture: string;
  /** Where events go. */
  webhook: WebhookSettings;
  /** Why the session is not connected, such as a login that the phone ended. Absent while it is connected, and where nothing befell it. */
  lastError?: string;
}

/** What a session's connections go through from now on. */
export interface SetProxy {
  /** `socks5://[user:password@]host:port`, or `http://…`; empty for its tenant's. */
  proxy: string;
}

/** A new session. Whoever has both acts as the account: keep `sessionId` like a password. */
export interface SessionCredentials {
  /** Goes into the header `id`. */
  id: string;
  /** Goes into the header `session-id`. Shown once; only its hash is kept. */
  sessionId: string;
}

/** The answer of every call that only confirms. */
export interface SessionReference {
  /** Id of the session. */
  id: string;
}
