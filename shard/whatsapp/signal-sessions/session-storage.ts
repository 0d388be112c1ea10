import { generateSignalPubKey, type AuthenticationCreds, type SignalDataTypeMap, type SignalKeyStore } from "@whiskeysockets/baileys";
import { SessionRecord, type SignalStorage } from "libsignal";

/** A session in the form that the library stores. Its declared type is wrong: it is an object. */
export type StoredSession = SignalDataTypeMap["session"];

interface KeyPair {
  readonly private: Uint8Array;
  readonly public: Uint8Array;
}

/** What libsignal reads and writes for one message. Collects the changes, and stores nothing. */
export class SessionStorage implements SignalStorage {
  /** The session after the message; `undefined` while it has not changed. */
  changed: StoredSession | undefined;
  usedPreKey: number | undefined;

  /** `session`: as it was stored; `undefined` for a new one. */
  constructor(
    private readonly session: StoredSession | undefined,
    private readonly creds: AuthenticationCreds,
    private readonly keys: Pick<SignalKeyStore, "get">,
  ) {}

  async loadSession(): Promise<SessionRecord | undefined> {
    return this.session && SessionRecord.deserialize(this.session);
  }

  async storeSession(_address: string, session: SessionRecord): Promise<void> {
    this.changed = session.serialize();
  }

  /** Trusts the first key of a contact, and each later one, as the library does. */
  isTrustedIdentity(): boolean {
    return true;
  }

  async loadPreKey(id: number | string): Promise<{ privKey: Buffer; pubKey: Buffer } | undefined> {
    const found = (await this.keys.get("pre-key", [String(id)]))[String(id)];
    return found && bytesOf(found);
  }

  removePreKey(id: number): void {
    this.usedPreKey = id;
  }

  loadSignedPreKey(): { privKey: Buffer; pubKey: Buffer } {
    return bytesOf(this.creds.signedPreKey.keyPair);
  }

  getOurRegistrationId(): number {
    return this.creds.registrationId;
  }

  getOurIdentity(): { privKey: Buffer; pubKey: Buffer } {
    const { private: own, public: shown } = this.creds.signedIdentityKey;
    return { privKey: Buffer.from(own), pubKey: Buffer.from(generateSignalPubKey(shown)) };
  }
}

function bytesOf({ private: own, public: shown }: KeyPair): { privKey: Buffer; pubKey: Buffer } {
  return { privKey: Buffer.from(own), pubKey: Buffer.from(shown) };
}
