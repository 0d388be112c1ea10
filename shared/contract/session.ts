import type { EventType } from "./webhook-events.js";

/** Input of an endpoint or command without parameters. */
export type Empty = Record<string, never>;

/** Settings of the webhook. Both fields are empty if the webhook is off. */
export interface WebhookSettings {
  /** URL of the receiver: `http` or `https`, at most 2,048 bytes. */
  url: string;
  /** Secret of the signature, also sent in the header `x-token`: printable ASCII, at most 2,048 bytes. */
  token: string;
  /** Types of the events that the receiver gets. Absent: the four types of private chats. */
  events?: EventType[];
}

/** The account of a session, and the state of its login. */
export interface SessionRecord {
  /** Id of the session, 24 hex digits. Not secret: media links contain it. */
  id: string;
  /** Id of the account on the platform. Empty before the first login. */
  generatedId: string;
  /** Name of the account, or its username, phone number or id if it has no name. */
  name: string;
  /** Username without `@`. Empty if there is none. */
  username: string;
  /** Phone number of the account in international format. */
  phone: string;
  /** Secret of the session, as sent in the request. Empty if the request used an API key. */
  sessionId: string;
  /** True while the account is logged in and connected. */
  isConnected: boolean;
  /**
   * QR code as a PNG in base64, without a `data:` prefix. Changes about every 30 seconds. Empty in the first seconds, and if there is
   * no code to scan.
   */
  qrcode: string;
  /** True if the code was scanned and the account needs its two-step password. */
  isPasswordRequired: boolean;
  /** Hint for the password, or the reason why the account cannot log in. May be empty. */
  passwordHint: string;
  /** Small profile photo as a data URI. May be empty. */
  picture: string;
  /** Settings of the webhook. */
  webhook: WebhookSettings;
  /**
   * Reason why the session is not connected, such as a logout on the phone. Absent while the session is connected, and if there was no
   * error.
   */
  lastError?: string;
}

/** The proxy of a session's future connections. */
export interface SetProxy {
  /** `socks5://[user:password@]host:port`, or `http://…`; empty for its tenant's proxy. */
  proxy: string;
}

/** Credentials of a new session. Anyone with both values can act as the account: store `sessionId` like a password. */
export interface SessionCredentials {
  /** Send it in the header `id`. */
  id: string;
  /** Send it in the header `session-id`. No other response shows it. */
  sessionId: string;
}

/** Response of calls that return no data of their own. */
export interface SessionReference {
  /** Id of the session. */
  id: string;
}
