import curve from "libsignal/src/curve.js";
import { x25519Agreement, x25519KeyPair } from "../crypto/x25519.js";

/**
 * Gives libsignal quicker agreements and keys, for the whole process: its own read every key as DER. A phone that reads its first message from a device takes four
 * agreements and two keys, and each message to a group of 500 is read by 500 phones.
 */
export function useQuickCurve(): void {
  Object.assign(curve, { calculateAgreement, generateKeyPair });
}

/** Keys of this curve have this byte before them in libsignal. */
const curveType = Buffer.from([5]);

function calculateAgreement(publicKey: Uint8Array, privateKey: Uint8Array): Buffer {
  if (publicKey.length !== 33 || publicKey[0] !== curveType[0]) throw new Error("Invalid public key");
  return x25519Agreement(privateKey, publicKey.subarray(1));
}

function generateKeyPair(): { pubKey: Buffer; privKey: Buffer } {
  const pair = x25519KeyPair();
  return { privKey: pair.private, pubKey: Buffer.concat([curveType, pair.public]) };
}
