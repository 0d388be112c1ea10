/** Everything that the sandbox can forge. Each forgery plays an attacker in place of the platform or of a contact. */
import { signingKeyPair } from "./protocol/crypto/signing-key-pair.js";

/** Forgeries of a server in the middle. They apply to the next connection, because no account is known yet. */
export const certificateForgeries = [
  "certificate-root",
  "certificate-signature",
  "certificate-issuer",
  "certificate-server",
  "certificate-date",
] as const;

/** Forgeries of a phone that did not scan, of another account's phone, of a contact with wrong keys, and of another group member. */
export const signatureForgeries = ["link-seal", "account-signature", "signed-prekey", "group-signature"] as const;

export const forgeries = [...certificateForgeries, ...signatureForgeries] as const;
export type Forgery = (typeof forgeries)[number];
export type CertificateForgery = (typeof certificateForgeries)[number];
export type SignatureForgery = (typeof signatureForgeries)[number];

/** Returns a valid signature of an unrelated key. */
export function signedByAnother(message: Uint8Array): Buffer {
  return signingKeyPair().sign(message);
}
