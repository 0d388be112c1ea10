import { proto } from "@whiskeysockets/baileys";

const { Details } = proto.CertChain.NoiseCertificate;
type Details = proto.CertChain.NoiseCertificate.Details;

/** What operators are told of a certificate that is signed and yet no good. */
export const certificateFaults = {
  anotherServer: "the server's certificate is another server's",
  anotherIssuer: "the server's certificate is of another issuer",
  outOfDate: "the server's certificate is not valid at this time of ours",
} as const;

/**
 * What the library leaves out, as whatsmeow's handshake.go has it: that the certificate is that of the key with which the server has just agreed, or whoever
 * has seen a certificate could show it; that the one above issued it; and the dates of both. Throws.
 */
export function requireOwnCertificate({ leaf, intermediate }: proto.ICertChain, serverKey: Uint8Array, now: number): void {
  // One that is not there, the library refuses in its own words.
  if (!leaf?.details || !intermediate?.details) return;
  const [own, above] = [Details.decode(leaf.details), Details.decode(intermediate.details)];
  if (!Buffer.from(own.key ?? []).equals(serverKey)) throw new Error(certificateFaults.anotherServer);
  if ((own.issuerSerial ?? 0) !== (above.serial ?? 0)) throw new Error(certificateFaults.anotherIssuer);
  if (![own, above].every((one) => isValidAt(one, now))) throw new Error(certificateFaults.outOfDate);
}

/** Seconds since 1970 on the wire. */
function isValidAt({ notBefore, notAfter }: Details, now: number): boolean {
  return Number(notBefore ?? 0) * 1_000 <= now && now <= Number(notAfter ?? 0) * 1_000;
}
