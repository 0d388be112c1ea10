import curve from "libsignal/src/curve.js";
import { x25519Agreement, x25519KeyPair } from "../crypto/x25519.js";

/**
 * Replaces libsignal's key functions in the whole process; its own parse each key as DER. A first message takes four agreements and two
 * keys, and 500 phones read each message to a group of 500.
 */
export function useQuickCurve(): void {
  Object.assign(curve, { calculateAgreement, generateKeyPair });
}

/** libsignal prefixes keys of this curve with this byte. */
const curveType = Buffer.from([5]);

function calculateAgreement(publicKey: Uint8Array, privateKey: Uint8Array): Buffer {
  if (publicKey.length !== 33 || publicKey[0] !== curveType[0]) throw new Error("Invalid public key");
  return x25519Agreement(privateKey, publicKey.subarray(1));
}

function generateKeyPair(): { pubKey: Buffer; privKey: Buffer } {
  const pair = x25519KeyPair();
  return { privKey: pair.private, pubKey: Buffer.concat([curveType, pair.public]) };
}
