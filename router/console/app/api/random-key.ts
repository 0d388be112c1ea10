/** Returns 128 random bits, for example for an `Idempotency-Key`. Browsers offer `randomUUID` only on pages with TLS. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
