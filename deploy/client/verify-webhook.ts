import { createHmac, timingSafeEqual } from "node:crypto";

/** As Node's servers have them, or as `fetch` has. */
export type WebhookHeaders = Readonly<Record<string, string | readonly string[] | undefined>> | Pick<Headers, "get">;

export interface VerifyOptions {
  /** How old, or how far ahead of this clock, a request may be. */
  readonly toleranceSeconds?: number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * Whether a webhook's request is from the gateway, and of now. `body`: its bytes as they came, before anything parses them. `token`: as it was given to
 * `PUT /session/webhook`. Repeats of an event have the same `webhook-id`: keep those that you have seen for 24 hours.
 */
export function verifyWebhook(
  headers: WebhookHeaders,
  body: Uint8Array | string,
  token: string,
  { toleranceSeconds = 300, now = Date.now }: VerifyOptions = {},
): boolean {
  const [id, at, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => headerOf(headers, name));
  // An empty token is that of a webhook that is off: anybody could sign with it.
  if (token === "" || !id || !at || !signatures || !/^\d{1,12}$/.test(at)) return false;
  const right = Buffer.from(`v1,${createHmac("sha256", token).update(`${id}.${at}.`).update(body).digest("base64")}`);
  const fits = signatures.split(" ").filter((given) => isEqual(Buffer.from(given), right)).length > 0;
  return fits && Math.abs(now() / 1_000 - Number(at)) <= toleranceSeconds;
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  const value = isReader(headers) ? headers.get(name) : headers[name];
  return typeof value === "string" ? value : undefined;
}

function isReader(headers: WebhookHeaders): headers is Pick<Headers, "get"> {
  return typeof headers["get"] === "function";
}

function isEqual(given: Buffer, right: Buffer): boolean {
  return given.length === right.length && timingSafeEqual(given, right);
}
