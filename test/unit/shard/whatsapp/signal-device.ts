import { Curve, initAuthCreds, type AuthenticationCreds, type KeyPair } from "@whiskeysockets/baileys";
import { SessionRecord } from "libsignal";

/** The parts of a device that the library needs for a conversation. */
export function signalDevice() {
  const creds: AuthenticationCreds = initAuthCreds();
  const sessions = new Map<string, unknown>();
  const { keyPair, keyId, signature } = creds.signedPreKey;
  const preKey = Curve.generateKeyPair();
  const withType = (key: Uint8Array): Buffer => Buffer.concat([Buffer.from([5]), key]);
  const keysOf = ({ private: own, public: shown }: KeyPair) => ({ privKey: Buffer.from(own), pubKey: withType(shown) });
  const storage = {
    loadSession: async (id: string) => {
      const stored = sessions.get(id);
      return stored === undefined ? undefined : SessionRecord.deserialize(stored as never);
    },
    storeSession: async (id: string, record: SessionRecord) =>
      void sessions.set(id, (record as unknown as { serialize(): unknown }).serialize()),
    isTrustedIdentity: () => true,
    loadPreKey: async () => keysOf(preKey),
    removePreKey: () => undefined,
    loadSignedPreKey: () => keysOf(keyPair),
    getOurRegistrationId: () => creds.registrationId,
    getOurIdentity: () => keysOf(creds.signedIdentityKey),
  };
  const bundle = {
    registrationId: creds.registrationId,
    identityKey: withType(creds.signedIdentityKey.public),
    signedPreKey: { keyId, publicKey: withType(keyPair.public), signature: Buffer.from(signature) },
    preKey: { keyId: 7, publicKey: withType(preKey.public) },
  };
  return { sessions, storage: storage as never, bundle: bundle as never };
}
