/** What the sandbox can forge, each the work of somebody who stands where the platform or a contact should. */
import { signingKeyPair } from "./protocol/crypto/signing-key-pair.js";

/** Of a server that stands between: nobody is logged in yet, so these are whoever's connection comes next. */
export const certificateForgeries = [
  "certificate-root",
  "certificate-signature",
  "certificate-issuer",
  "certificate-server",
  "certificate-date",
] as const;

/** Of a phone that did not scan, of a phone that is not the account's, of a contact whose keys are somebody else's, and of another member of a group. */
export const signatureForgeries = ["link-seal", "account-signature", "signed-prekey", "group-signature"] as const;

export const forgeries = [...certificateForgeries, ...signatureForgeries] as const;
export type Forgery = (typeof forgeries)[number];
export type CertificateForgery = (typeof certificateForgeries)[number];
export type SignatureForgery = (typeof signatureForgeries)[number];

/** A good signature, by a key that is nobody's. */
export function signedByAnother(message: Uint8Array): Buffer {
  return signingKeyPair().sign(message);
}
