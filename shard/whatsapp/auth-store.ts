import { initAuthCreds, jidDecode, type AuthenticationCreds } from "@whiskeysockets/baileys";
import typia from "typia";
import { SerialQueue } from "../../shared/flow/serial-queue.js";
import { UnreadableRecord } from "../../shared/session/unreadable-record.js";
import type { ConnectorContext } from "../session/session-context.js";
import { fromJsonBytes, toJsonBytes } from "./keys/json-bytes.js";
import { packJson, unpackJson } from "./keys/packed-json.js";
import { KeyStore } from "./keys/key-store.js";
import type { PasskeyAttempt } from "./passkey/passkey-attempt.js";

/**
 * What makes this process the account's device: the library's credentials, as the encrypted credentials of the session, and the Signal keys.
 * Credentials that no login came of are thrown away before the next connection: a device that has asked for a pairing code would otherwise
 * log in, and be refused, instead of registering. Those of a linking by passkey stay as long as it is under way, since the platform knows it by them.
 */
export class AuthStore {
  private signalKeys: KeyStore;
  private current: OwnCreds | undefined;
  private phone = "";
  /** Written with the next `persist`. */
  attempt: PasskeyAttempt | undefined;
  private readonly writing = new SerialQueue();
  /** A write that has not begun yet takes later changes along. */
  private queued: Promise<void> | undefined;

  constructor(private readonly context: Pick<ConnectorContext, "credentials" | "secrets">) {
    this.signalKeys = new KeyStore(context.secrets);
  }

  /** Of the present device; those of one that was forgotten take no more writes. */
  get keys(): KeyStore {
    return this.signalKeys;
  }

  /** Those of a new device are made here, milliseconds of CPU each: sessions are opened by the thousand in one turn, their connections are not. */
  get creds(): OwnCreds {
    return (this.current ??= initAuthCreds());
  }

  /** True when the platform has linked this device. */
  get paired(): boolean {
    return this.current?.account !== undefined && this.current.me?.id !== undefined;
  }

  /** Whether the platform has moved the account's chats to anonymous ids, as far as it has told. */
  get lidMigrated(): boolean {
    return this.current?.lidMigrated === true;
  }

  /** Written with the next `persist`. */
  learnMigration(): void {
    this.creds.lidMigrated = true;
  }

  /** Digits of the phone that a pairing code was asked for; empty when a QR is wanted. */
  get pairingPhone(): string {
    return this.phone;
  }

  /** Rejects like the store. */
  async load(): Promise<void> {
    const stored = await this.context.credentials.read(parseCreds);
    if (stored === undefined) return;
    const { passkey, ...creds } = stored;
    this.current = creds;
    this.attempt = this.paired ? undefined : passkey;
    if (!this.paired && stored.pairingCode !== undefined) this.phone = jidDecode(stored.me?.id)?.user ?? "";
  }

  /** A pairing code for this phone is wanted, or (empty) a QR. */
  pairBy(phone: string): void {
    this.phone = phone;
  }

  /** For a new registration: nothing of an earlier, unfinished one may stay. */
  dropUnfinished(): void {
    if (this.paired) return;
    if (this.attempt === undefined) this.current = undefined;
    else {
      // With a name it would log in.
      delete this.creds.me;
      this.creds.pairingCode = undefined;
      this.creds.registered = false;
    }
  }

  /** The linking by passkey is given up, and its device with it. Durable before it resolves. */
  async dropAttempt(): Promise<void> {
    this.attempt = undefined;
    if (this.paired) return;
    this.current = undefined;
    await this.idle();
    await this.context.credentials.clear();
  }

  /** For a login: the prekeys that the platform may ask for are there before the connection is. */
  async reservePrekeys(): Promise<void> {
    if (!this.paired) return;
    try {
      if (await this.keys.prekeys.reserve(this.creds)) await this.persist();
    } catch (error) {
      // The session is marked; the account can go on with keys that the library makes.
      if (!(error instanceof UnreadableRecord)) throw error;
    }
  }

  /** Durable before it resolves. What no device depends on yet is not written. */
  persist(): Promise<void> {
    if (!this.paired && this.current?.pairingCode === undefined && this.attempt === undefined) return Promise.resolve();
    if (this.queued !== undefined) return this.queued;
    this.queued = this.writing.run(() => {
      this.queued = undefined;
      const { attempt } = this;
      const creds = attempt === undefined || this.paired ? this.creds : { ...this.creds, passkey: attempt };
      return this.context.credentials.write(packJson(toJsonBytes(creds)));
    });
    return this.queued;
  }

  /** A fresh device. Durable before it resolves. */
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

  /** Resolves when nothing is being written. */
  async idle(): Promise<void> {
    await this.writing.idle();
  }
}

/** The members that this adapter itself reads; the library wrote the rest, and the seal proves that it is unchanged. */
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

/** The library's credentials, and what the adapter keeps beside them. */
type OwnCreds = AuthenticationCreds & { lidMigrated?: boolean };

type LoadedCreds = OwnCreds & { readonly passkey?: PasskeyAttempt };

const isStoredCreds = typia.createIs<StoredCreds>();

function parseCreds(bytes: Buffer): LoadedCreds | undefined {
  try {
    const parsed = fromJsonBytes(unpackJson(bytes));
    return isStoredCreds(parsed) ? (parsed as StoredCreds & LoadedCreds) : undefined;
  } catch {
    return undefined;
  }
}
