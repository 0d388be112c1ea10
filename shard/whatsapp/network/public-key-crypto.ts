import { Curve, generateSignalPubKey, proto } from "@whiskeysockets/baileys";
import curve from "libsignal/src/curve.js";
import { ForgedPreKey } from "./forgery.js";
import { requireOwnCertificate } from "./server-certificate.js";
import { x25519Agreement, x25519KeyPair } from "./x25519.js";
import { xeddsaSign, xeddsaVerify } from "./xeddsa.js";

/**
 * Gives Baileys and libsignal all that they do with public keys: keys, agreements and signatures of OpenSSL's curve, in the place of one in JavaScript, which takes 6 to 9 ms for each
 * signature that it makes or checks. And checks that refuse: Baileys' own takes every signature of 64 bytes for good, libsignal those of contacts' keys, and a server may show the
 * certificate of another. Process-wide; a second call changes nothing.
 */
export function installPublicKeyCrypto(): void {
  Object.assign(curve, { calculateAgreement, generateKeyPair, calculateSignature, verifySignature });
  Object.assign(Curve, {
    generateKeyPair: x25519KeyPair,
    sharedKey,
    sign: calculateSignature,
    verify: isSigned,
  });
  Object.assign(proto.CertChain, { decode: decodeCertificate });
}

const byItself: Pick<typeof curve, "calculateAgreement" | "calculateSignature"> & { readonly verifySignature: VerifySignature } = {
  ...curve,
};
/** The library's types leave its last argument out. */
type VerifySignature = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array, beforeFirst?: boolean) => boolean;
const typeByte = Buffer.of(5);

/** What is no plain key goes to the library, which says what is wrong with it. */
function calculateAgreement(publicKey: Uint8Array, privateKey: Uint8Array): Uint8Array {
  return isPublic(publicKey) && isPrivate(privateKey)
    ? x25519Agreement(privateKey, publicKey.subarray(1))
    : byItself.calculateAgreement(publicKey, privateKey);
}

/** The last key that Baileys agreed with. In a handshake that is the server's when the library opens the certificate, without a pause between. */
let agreedWith: Uint8Array = Buffer.alloc(0);

function sharedKey(privateKey: Uint8Array, publicKey: Uint8Array): Uint8Array {
  agreedWith = publicKey;
  return calculateAgreement(generateSignalPubKey(publicKey), privateKey);
}

const decodeChain = proto.CertChain.decode.bind(proto.CertChain);

/** The handshake's alone. */
function decodeCertificate(...bytes: Parameters<typeof decodeChain>): proto.CertChain {
  const chain = decodeChain(...bytes);
  requireOwnCertificate(chain, agreedWith, Date.now());
  return chain;
}

function generateKeyPair(): { pubKey: Uint8Array; privKey: Uint8Array } {
  const pair = x25519KeyPair();
  return { privKey: pair.private, pubKey: Buffer.concat([typeByte, pair.public]) };
}

function calculateSignature(privateKey: Uint8Array, message: Uint8Array): Uint8Array {
  return isPrivate(privateKey) ? xeddsaSign(privateKey, message) : byItself.calculateSignature(privateKey, message);
}

/** `beforeFirst` stands for a contact's signed prekey, before the first message to it. What is returned then is read by nobody. */
function verifySignature(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array, beforeFirst?: boolean): boolean {
  // Asked so, the library looks at the form of its arguments alone.
  byItself.verifySignature(publicKey, message, signature, true);
  const good = xeddsaVerify(publicKey.subarray(publicKey.length - 32), message, signature);
  if (!good && beforeFirst === true) throw new ForgedPreKey();
  return good;
}

/** As Baileys has it: what cannot be checked is not signed. With Baileys' byte before it, a key that is one byte short would be taken for a whole one. */
function isSigned(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (publicKey.length < 32) return false;
  try {
    return verifySignature(generateSignalPubKey(publicKey), message, signature);
  } catch {
    return false;
  }
}

function isPublic(key: Uint8Array): boolean {
  return key instanceof Buffer && key.length === 33 && key[0] === typeByte[0];
}

function isPrivate(key: Uint8Array): boolean {
  return key instanceof Buffer && key.length === 32;
}
