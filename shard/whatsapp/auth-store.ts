import { initAuthCreds, jidDecode, type AuthenticationCreds } from "@whiskeysockets/baileys";
import typia from "typia";
import { withOwnMemory } from "../../shared/flow/own-memory.js";
import { SerialQueue } from "../../shared/flow/serial-queue.js";
import { UnreadableRecord } from "../../shared/session/unreadable-record.js";
import type { ConnectorContext } from "../session/session-context.js";
import { fromJson, toJson } from "./keys/json-bytes.js";
import { packJson, unpackJson } from "./keys/packed-json.js";
import { KeyStore } from "./keys/key-store.js";
import type { PasskeyAttempt } from "./passkey/passkey-attempt.js";

/**
 * Holds the account's device: the library's credentials, which are the session's encrypted credentials, and the Signal keys. Unfinished
 * credentials are dropped before the next connection, except during a linking by passkey.
 */
export class AuthStore {
  private signalKeys: KeyStore;
  private current: OwnCreds | undefined;
  private phone = "";
  /** The pending linking by passkey. The next `persist` stores it. */
  attempt: PasskeyAttempt | undefined;
  private readonly writing = new SerialQueue();
  /** The write that has not begun yet; it includes later changes. */
  private queued: Promise<void> | undefined;

  constructor(private readonly context: Pick<ConnectorContext, "credentials" | "secrets">) {
    this.signalKeys = new KeyStore(context.secrets);
  }

  /** The Signal keys of the current device. The keys of a forgotten device accept no more writes. */
  get keys(): KeyStore {
    return this.signalKeys;
  }

  /**
   * The credentials. Creating them takes milliseconds of CPU, so it waits until a connection needs them: thousands of sessions open at
   * once.
   */
  get creds(): OwnCreds {
    return (this.current ??= withOwnMemory(initAuthCreds));
  }

  /** True when the platform has linked this device. */
  get paired(): boolean {
    return this.current?.account !== undefined && this.current.me?.id !== undefined;
  }

  /** True when the platform has reported that it moved the account's chats to anonymous ids. */
  get lidMigrated(): boolean {
    return this.current?.lidMigrated === true;
  }

  /** Records the move to anonymous ids. The next `persist` stores it. */
  learnMigration(): void {
    this.creds.lidMigrated = true;
  }

  /** Digits of the phone that a pairing code was requested for; empty for QR codes. */
  get pairingPhone(): string {
    return this.phone;
  }

  /** Reads the stored credentials. Rejects like the store. */
  async load(): Promise<void> {
    const stored = await this.context.credentials.read(parseCreds);
    if (stored === undefined) return;
    const { passkey, ...creds } = stored;
    this.current = creds;
    this.attempt = this.paired ? undefined : passkey;
    if (!this.paired && stored.pairingCode !== undefined) this.phone = jidDecode(stored.me?.id)?.user ?? "";
  }

  /** Selects a pairing code for this phone, or QR codes if `phone` is empty. */
  pairBy(phone: string): void {
    this.phone = phone;
  }

  /** Drops the credentials of an unfinished registration: the platform would take them for a login and refuse it. */
  dropUnfinished(): void {
    if (this.paired) return;
    if (this.attempt === undefined) this.current = undefined;
    else {
      // With `me`, the library would log in instead of registering.
      delete this.creds.me;
      this.creds.pairingCode = undefined;
      this.creds.registered = false;
    }
  }

  /** Cancels the linking by passkey and drops its device. Durable before it resolves. */
  async dropAttempt(): Promise<void> {
    this.attempt = undefined;
    if (this.paired) return;
    this.current = undefined;
    await this.idle();
    await this.context.credentials.clear();
  }

  /** Reserves the prekeys that the platform may request, before the connection opens. Does nothing for a device that is not linked. */
  async reservePrekeys(): Promise<void> {
    if (!this.paired) return;
    try {
      if (await this.keys.prekeys.reserve(this.creds)) await this.persist();
    } catch (error) {
      // The session is already marked as damaged; the account can continue with keys that the library makes.
      if (!(error instanceof UnreadableRecord)) throw error;
    }
  }

  /** Stores the credentials. Durable before it resolves. Writes nothing while no linked or pending device depends on them. */
  persist(): Promise<void> {
    if (!this.paired && this.current?.pairingCode === undefined && this.attempt === undefined) return Promise.resolve();
    if (this.queued !== undefined) return this.queued;
    this.queued = this.writing.run(() => {
      this.queued = undefined;
      const { attempt } = this;
      const creds = attempt === undefined || this.paired ? this.creds : { ...this.creds, passkey: attempt };
      return this.context.credentials.write(packJson(toJson(creds)));
    });
    return this.queued;
  }

  /** Replaces the device with a new, unlinked one. Durable before it resolves. */
  async forget(): Promise<void> {
    const { keys } = this;
    this.signalKeys = new KeyStore(this.context.secrets);
    this.current = undefined;
    this.attempt = undefined;
    this.phone = "";
    await this.idle();
    await this.context.credentials.clear();
    await keys.end();
  }

  /** Resolves when all writes are done. */
  async idle(): Promise<void> {
    await this.writing.idle();
  }
}

/** The members that this adapter reads. The library wrote the others, and the seal proves that they are unchanged. */
interface StoredCreds {
  noiseKey: object;
  signedIdentityKey: object;
  registrationId: number;
  me?: { id: string };
  account?: object;
  pairingCode?: string;
  passkey?: object;
  lidMigrated?: boolean;
}

/** The library's credentials, and the field that the adapter stores with them. */
type OwnCreds = AuthenticationCreds & { lidMigrated?: boolean };

type LoadedCreds = OwnCreds & { readonly passkey?: PasskeyAttempt };

const isStoredCreds = typia.createIs<StoredCreds>();

function parseCreds(bytes: Buffer): LoadedCreds | undefined {
  try {
    const text = unpackJson(bytes);
    const parsed = withOwnMemory(() => fromJson(text));
    return isStoredCreds(parsed) ? (parsed as StoredCreds & LoadedCreds) : undefined;
  } catch {
    return undefined;
  }
}
