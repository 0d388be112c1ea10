/** Credentials of linked clients that never connected. Load tests start with thousands of them. */
import {
  type AuthenticationCreds,
  Curve,
  encodeBigEndian,
  initAuthCreds,
  signedKeyPair,
  WA_ADV_DEVICE_SIG_PREFIX,
} from "@whiskeysockets/baileys";
import type { AccountProfile, PairedDevice } from "../whatsapp-backend.js";
import { signDevice } from "./pairing/device-signature.js";
import type { SignalUser } from "./signal/signal-user.js";

export interface Fabricated {
  readonly creds: AuthenticationCreds;
  readonly device: PairedDevice;
}

/** Identity keys and signatures take 20 ms. Clients may share them; only the Noise key must be unique. */
export class Fabricator {
  private template: { readonly creds: AuthenticationCreds; readonly account: AuthenticationCreds["account"] } | undefined;

  /** With `share`, all fabricated clients of one phone identity share a Signal identity. */
  constructor(private readonly share: boolean) {}

  /** With `fresh`, the phone still sends its first-login messages. */
  fabricate(profile: AccountProfile, number: number, phone: SignalUser, fresh: boolean): Fabricated {
    const { creds: base, account } = this.identity(phone, number);
    const noiseKey = Curve.generateKeyPair();
    const lid = `${profile.lid}:${number}@lid`;
    const creds: AuthenticationCreds = {
      ...base,
      noiseKey,
      ...(account ? { account } : {}),
      me: { id: `${profile.phone}:${number}@s.whatsapp.net`, lid, name: profile.pushName },
      signalIdentities: [
        { identifier: { name: lid, deviceId: 0 }, identifierKey: Buffer.concat([Buffer.from([5]), phone.identity.public]) },
      ],
      platform: "android",
      accountSyncCounter: fresh ? 0 : 1,
      processedHistoryMessages: [],
      accountSettings: { unarchiveChats: false },
    };
    const { signedPreKey, signedIdentityKey, registrationId } = creds;
    const device: PairedDevice = {
      phone: profile.phone,
      lid: profile.lid,
      number,
      noiseKey: base64(noiseKey.public),
      identity: base64(signedIdentityKey.public),
      registrationId,
      signedPreKey: {
        id: base64(encodeBigEndian(signedPreKey.keyId, 3)),
        value: base64(signedPreKey.keyPair.public),
        signature: base64(signedPreKey.signature),
      },
      preKeys: [],
      pairedAt: Date.now(),
      fresh,
    };
    return { creds, device };
  }

  private identity(
    phone: SignalUser,
    number: number,
  ): { readonly creds: AuthenticationCreds; readonly account: AuthenticationCreds["account"] } {
    if (this.template) return this.template;
    const creds = initAuthCreds();
    const identity = creds.signedIdentityKey;
    const signature = signDevice(phone.identity, Buffer.from(identity.public), number);
    const signed = Buffer.concat([WA_ADV_DEVICE_SIG_PREFIX, signature.details, identity.public, signature.accountSignatureKey]);
    const made = {
      creds: { ...creds, signedPreKey: signedKeyPair(identity, 1) },
      account: { ...signature, deviceSignature: Curve.sign(identity.private, signed) },
    };
    if (this.share) this.template = made;
    return made;
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}
