import { proto } from "@whiskeysockets/baileys";

const { Details } = proto.CertChain.NoiseCertificate;
type Details = proto.CertChain.NoiseCertificate.Details;

/** The log texts for a certificate that is signed but not valid here. */
export const certificateFaults = {
  anotherServer: "the server's certificate is another server's",
  anotherIssuer: "the server's certificate is of another issuer",
  outOfDate: "the server's certificate is not valid at this time of ours",
} as const;

/**
 * Checks what the library omits: the certificate belongs to the key of this handshake, its parent issued it, and both are valid now.
 * Follows whatsmeow's handshake.go. Throws.
 */
export function requireOwnCertificate({ leaf, intermediate }: proto.ICertChain, serverKey: Uint8Array, now: number): void {
  // The library itself rejects a missing certificate.
  if (!leaf?.details || !intermediate?.details) return;
  const [own, above] = [Details.decode(leaf.details), Details.decode(intermediate.details)];
  if (!Buffer.from(own.key ?? []).equals(serverKey)) throw new Error(certificateFaults.anotherServer);
  if ((own.issuerSerial ?? 0) !== (above.serial ?? 0)) throw new Error(certificateFaults.anotherIssuer);
  if (![own, above].every((one) => isValidAt(one, now))) throw new Error(certificateFaults.outOfDate);
}

/** The platform sends seconds since 1970. */
function isValidAt({ notBefore, notAfter }: Details, now: number): boolean {
  return Number(notBefore ?? 0) * 1_000 <= now && now <= Number(notAfter ?? 0) * 1_000;
}
