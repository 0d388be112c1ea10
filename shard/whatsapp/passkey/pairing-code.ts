import { createHash } from "node:crypto";

/**
 * Returns the code that both sides show, so that a person can detect an interception. This device committed to its nonce before it saw the
 * phone's key.
 */
export function passkeyCode(primary: { readonly publicKey: Buffer; readonly nonce: Buffer }, companionNonce: Buffer): string {
  const digest = createHash("sha256").update(companionNonce).update(primary.publicKey).digest();
  let bits = 0n;
  for (let i = 0; i < codeBytes; i++) bits = (bits << 8n) | BigInt((primary.nonce[i] ?? 0) ^ (digest[i] ?? 0));
  let code = "";
  for (let shift = 35n; shift >= 0n; shift -= 5n) code += alphabet.charAt(Number((bits >> shift) & 31n));
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

const codeBytes = 5;
/** The platform's own alphabet: without 0, I, O and U. */
const alphabet = "123456789ABCDEFGHJKLMNPQRSTVWXYZ";
