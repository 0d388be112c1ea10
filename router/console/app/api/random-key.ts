/** 128 random bits, such as an `Idempotency-Key`: however often one thing is tried under it, it goes out once. Not `randomUUID`, which browsers keep for pages with TLS. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
