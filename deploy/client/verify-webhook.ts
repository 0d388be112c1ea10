import { createHmac, timingSafeEqual } from "node:crypto";

/** Headers of a Node server's request or of a `fetch` request. */
export type WebhookHeaders = Readonly<Record<string, string | readonly string[] | undefined>> | Pick<Headers, "get">;

export interface VerifyOptions {
  /** Maximum difference between the request's time and this clock, in either direction. */
  readonly toleranceSeconds?: number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * Returns whether the gateway signed this webhook request recently. `body` must be the raw bytes; `token` is that of `PUT
 * /session/webhook`. A repeated event has the same `webhook-id`: store seen ids for 24 hours.
 */
export function verifyWebhook(
  headers: WebhookHeaders,
  body: Uint8Array | string,
  token: string,
  { toleranceSeconds = 300, now = Date.now }: VerifyOptions = {},
): boolean {
  const [id, at, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => headerOf(headers, name));
  // A webhook without a token is off, and anybody could sign with an empty token.
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
