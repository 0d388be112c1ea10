import { createHash, createPublicKey } from "node:crypto";
import bigInt from "big-integer";
import { tl } from "telegram";
import { _serverKeys } from "telegram/crypto/RSA.js";

/**
 * Adds RSA public keys (PEM) that data centres may use. The platform's own keys are built in; another data centre, such as one on
 * loopback, has its own. Throws when a text is not an RSA public key.
 */
export function addServerKeys(pems: readonly string[]): void {
  for (const pem of pems) {
    const { n, e } = createPublicKey(pem).export({ format: "jwk" });
    if (n === undefined || e === undefined) throw new Error("a data centre's key is not an RSA public key");
    const modulus = Buffer.from(n, "base64url");
    const exponent = Buffer.from(e, "base64url");
    _serverKeys.set(fingerprint(modulus, exponent), { n: bigInt(modulus.toString("hex"), 16), e: exponent.readUIntBE(0, exponent.length) });
  }
}

/** Returns GramJS's name of a key: the last 8 bytes of SHA-1 over both numbers in TL form, as a signed decimal. */
function fingerprint(modulus: Buffer, exponent: Buffer): string {
  const digest = createHash("sha1").update(tl.serializeBytes(modulus)).update(tl.serializeBytes(exponent)).digest();
  return digest.readBigInt64LE(12).toString();
}
