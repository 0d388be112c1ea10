import { createHash, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { aesEncryptGCM, proto } from "@whiskeysockets/baileys";
import { x25519Agreement, x25519KeyPair } from "../network/x25519.js";

/** This device's half of a linking by passkey. */
export interface CompanionSide {
  /** Private half of the device's key for this attempt alone. */
  readonly privateKey: Buffer;
  /** Secret until the phone has sent its key. */
  readonly nonce: Buffer;
  readonly ref: string;
  readonly deviceType: number;
}

/** The key and nonce that the phone sends. */
export interface PrimaryIdentity {
  readonly publicKey: Buffer;
  readonly nonce: Buffer;
}

/**
 * Derives the key that later proves that this device has the secret of the scanned or typed code. With the proof, the owner need not
 * compare codes.
 */
export function handoffKey(advSecret: Buffer): Buffer {
  return Buffer.from(hkdfSync("sha256", advSecret, Buffer.alloc(0), "shortcake-passkey-handoff-v1", keyBytes));
}

export function handoffProof(key: Buffer, payload: Uint8Array): Buffer {
  return createHmac("sha256", key).update(payload).digest();
}

/** Makes this device's half. `payload` goes to the platform: the device's key, and a commitment to its nonce. */
export function makePrologue(ref: string, deviceType: number): { readonly side: CompanionSide; readonly payload: Uint8Array } {
  const pair = x25519KeyPair();
  const nonce = randomBytes(keyBytes);
  const identity = proto.CompanionEphemeralIdentity.encode({ publicKey: pair.public, deviceType, ref }).finish();
  const hash = createHash("sha256").update(identity).update(nonce).digest();
  const payload = proto.ProloguePayload.encode({ companionEphemeralIdentity: identity, commitment: { hash } }).finish();
  return { side: { privateKey: pair.private, nonce, ref, deviceType }, payload };
}

/** Returns `undefined` for bytes that do not decode to a valid identity. */
export function readPrimaryIdentity(bytes: Buffer | undefined): PrimaryIdentity | undefined {
  if (bytes === undefined) return undefined;
  try {
    const { publicKey, nonce } = proto.PrimaryEphemeralIdentity.decode(bytes);
    if (publicKey?.length !== keyBytes || nonce?.length !== keyBytes) return undefined;
    return { publicKey: Buffer.from(publicKey), nonce: Buffer.from(nonce) };
  } catch {
    return undefined;
  }
}

export interface DeviceKeys {
  readonly noiseKey: Uint8Array;
  readonly identity: Uint8Array;
  readonly advSecret: Buffer;
}

/** Encrypts the last message, the device's keys, for the phone alone. Throws when the phone's key is invalid. */
export function sealPairingRequest(side: CompanionSide, primary: PrimaryIdentity, keys: DeviceKeys): Uint8Array {
  const { privateKey, deviceType, ref } = side;
  const shared = x25519Agreement(privateKey, primary.publicKey);
  const salt = `Companion Pairing ${deviceType} with ref ${ref}`;
  const key = Buffer.from(hkdfSync("sha256", shared, salt, "Pairing Information Encryption Key", keyBytes));
  const { noiseKey: companionPublicKey, identity: companionIdentityKey, advSecret } = keys;
  const request = proto.PairingRequest.encode({ companionPublicKey, companionIdentityKey, advSecret }).finish();
  const iv = randomBytes(ivBytes);
  const encryptedPayload = aesEncryptGCM(request, key, iv, Buffer.alloc(0));
  return proto.EncryptedPairingRequest.encode({ encryptedPayload, iv }).finish();
}

const keyBytes = 32;
const ivBytes = 12;
