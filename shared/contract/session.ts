/** An endpoint or command without input. */
export type Empty = Record<string, never>;

/** Variant B, "Webhook configuration": both empty when the webhook is off. */
export interface WebhookSettings {
  url: string;
  token: string;
}

/** Variant B, "Session record (GET /session)"; variant A shows the same one with more. */
export interface SessionRecord {
  id: string;
  generatedId: string;
  name: string;
  username: string;
  phone: string;
  sessionId: string;
  isConnected: boolean;
  qrcode: string;
  isPasswordRequired: boolean;
  passwordHint: string;
  picture: string;
  webhook: WebhookSettings;
}

/** What `POST /session` answers with 201. */
export interface SessionCredentials {
  id: string;
  sessionId: string;
}

/** `{id}`: the answer of every call that only confirms. */
export interface SessionReference {
  id: string;
}
