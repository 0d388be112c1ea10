import { Curve, generateSignalPubKey, proto } from "@whiskeysockets/baileys";
import curve from "libsignal/src/curve.js";
import { ForgedPreKey } from "./forgery.js";
import { requireOwnCertificate } from "./server-certificate.js";
import { x25519Agreement, x25519KeyPair } from "./x25519.js";
import { xeddsaSign, xeddsaVerify } from "./xeddsa.js";

/**
 * Gives Baileys and libsignal OpenSSL's curve instead of one in JavaScript (6 to 9 ms a signature), and real checks: Baileys accepts any
 * 64-byte signature. Process-wide; a second call changes nothing.
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
/** The type includes the last argument, which the library's types omit. */
type VerifySignature = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array, beforeFirst?: boolean) => boolean;
const typeByte = Buffer.of(5);

/** Passes an invalid key to the library, which throws the specific error. */
function calculateAgreement(publicKey: Uint8Array, privateKey: Uint8Array): Uint8Array {
  return isPublic(publicKey) && isPrivate(privateKey)
    ? x25519Agreement(privateKey, publicKey.subarray(1))
    : byItself.calculateAgreement(publicKey, privateKey);
}

/**
 * The last key of an agreement by Baileys. In a handshake, it is the server's key when the library reads the certificate synchronously
 * afterwards.
 */
let agreedWith: Uint8Array = Buffer.alloc(0);

function sharedKey(privateKey: Uint8Array, publicKey: Uint8Array): Uint8Array {
  agreedWith = publicKey;
  return calculateAgreement(generateSignalPubKey(publicKey), privateKey);
}

const decodeChain = proto.CertChain.decode.bind(proto.CertChain);

/** The library decodes certificates only in the handshake. */
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

/**
 * `beforeFirst` marks the check of a contact's signed prekey before the first message. The library ignores the result of that check, so it
 * must throw.
 */
function verifySignature(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array, beforeFirst?: boolean): boolean {
  // With this argument, the library checks only the form of its arguments.
  byItself.verifySignature(publicKey, message, signature, true);
  const good = xeddsaVerify(publicKey.subarray(publicKey.length - 32), message, signature);
  if (!good && beforeFirst === true) throw new ForgedPreKey();
  return good;
}

/**
 * Returns false for invalid input, as Baileys does. A key that is one byte short is rejected here, because the type byte would complete
 * its length.
 */
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
