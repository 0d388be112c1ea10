/** The chain of trust from an account's primary identity to a linked device. */
import { createHmac } from "node:crypto";
import { Curve, type KeyPair, proto, WA_ADV_ACCOUNT_SIG_PREFIX, WA_ADV_DEVICE_SIG_PREFIX } from "@whiskeysockets/baileys";
import { isSignedBy } from "../crypto/xeddsa.js";

export interface AccountSignature {
  readonly details: Buffer;
  readonly accountSignatureKey: Buffer;
  readonly accountSignature: Buffer;
}

/** Signs a companion's identity key with the phone's key. */
export function signDevice(primary: KeyPair, companionIdentity: Buffer, keyIndex: number): AccountSignature {
  const timestamp = Math.floor(Date.now() / 1_000);
  const details = Buffer.from(proto.ADVDeviceIdentity.encode({ rawId: 1, timestamp, keyIndex, accountType: 0, deviceType: 0 }).finish());
  const signed = Buffer.concat([WA_ADV_ACCOUNT_SIG_PREFIX, details, companionIdentity]);
  return { details, accountSignatureKey: Buffer.from(primary.public), accountSignature: Buffer.from(Curve.sign(primary.private, signed)) };
}

/** Returns the content of `device-identity` in `pair-success`, authenticated by the secret in the QR code. */
export function sealForCompanion(signature: AccountSignature, advSecret: Buffer): Uint8Array {
  const details = proto.ADVSignedDeviceIdentity.encode(signature).finish();
  return proto.ADVSignedDeviceIdentityHMAC.encode({ details, hmac: createHmac("sha256", advSecret).update(details).digest() }).finish();
}

/** Verifies the companion's own signature in `pair-device-sign`. */
export function isAcceptedByCompanion(
  answer: Buffer,
  { details, accountSignatureKey }: AccountSignature,
  companionIdentity: Buffer,
): boolean {
  const { deviceSignature } = proto.ADVSignedDeviceIdentity.decode(answer);
  const signed = Buffer.concat([WA_ADV_DEVICE_SIG_PREFIX, details, companionIdentity, accountSignatureKey]);
  return isSignedBy(companionIdentity, signed, Buffer.from(deviceSignature ?? []));
}
