import type { AuthenticationCreds, SignalDataSet, SignalRepositoryWithLIDStore } from "@whiskeysockets/baileys";
import { ProtocolAddress, SessionBuilder, SessionCipher } from "libsignal";
import { pause } from "../../../shared/flow/pause.js";
import { SerialQueue } from "../../../shared/flow/serial-queue.js";
import { UnreadableRecord } from "../../../shared/session/unreadable-record.js";
import { KeyedSemaphore } from "../../flow/keyed-semaphore.js";
import type { UpdateEvent } from "../../session/session-context.js";
import type { EventKeyStore } from "../keys/connection-keys.js";
import { fieldOf } from "../network/protobuf-field.js";
import { SessionStorage, type StoredSession } from "./session-storage.js";

export type SignalType = "pkmsg" | "msg";
/** Keys with which a session begins. libsignal's declaration wrongly requires a prekey. */
export type SessionBundle = Parameters<SignalRepositoryWithLIDStore["injectE2ESession"]>[0]["session"];

/** Returns the events of a decrypted message. */
export type ReadMessage = (padded: Uint8Array) => Promise<readonly UpdateEvent[]>;

/** The store failed before a message was decrypted, so nothing is known about the message. */
export class SessionsAway extends Error {
  constructor(cause: unknown) {
    super("the sessions could not be read or stored", { cause });
  }
}

const noEvents: ReadMessage = async () => [];

/**
 * The account's Signal sessions with devices, as one connection uses them. A message that is read is stored in one write with its session,
 * its used prekey and its events. A session that encrypts is stored by `save`, before bytes leave.
 */
export class SignalSessions {
  /** Sessions that encrypted and are not stored yet, by address. */
  private readonly unsaved = new Map<string, StoredSession>();
  /** Sessions that were read for the messages that are being sent. */
  private readonly prepared = new Map<string, StoredSession>();
  private sends = 0;
  /** One message at a time with each address. */
  private readonly lines = new KeyedSemaphore([Number.POSITIVE_INFINITY, 1]);
  private readonly saving = new SerialQueue();

  constructor(
    private readonly keys: EventKeyStore,
    private readonly creds: AuthenticationCreds,
  ) {}

  /** Runs a send. The sessions that it reads stay in memory until it ends: a status encrypts with thousands, long after it reads them. */
  async during<T>(send: () => Promise<T>): Promise<T> {
    this.sends += 1;
    try {
      return await send();
    } finally {
      this.sends -= 1;
      if (this.sends === 0) this.prepared.clear();
    }
  }

  /** Reads these sessions at once. Rejects like the store. */
  async prepare(addresses: readonly string[]): Promise<void> {
    const missing = addresses.filter((address) => this.known(address) === undefined);
    if (missing.length === 0) return;
    const found = await this.keys.get("session", missing);
    if (this.sends === 0) return;
    for (const address of missing) {
      const session = found[address];
      if (session !== undefined && this.known(address) === undefined) this.prepared.set(address, session);
    }
  }

  /** True if messages can be encrypted for the device. */
  async has(address: string): Promise<boolean> {
    return isOpen(await this.read(address));
  }

  /** Agrees on a session with a device, by the keys that the platform has of it. */
  async begin(address: string, bundle: SessionBundle): Promise<void> {
    await this.inLine(address, async () => {
      const storage = await this.storageOf(address);
      await new SessionBuilder(storage, protocolAddress(address)).initOutgoing(bundle as Parameters<SessionBuilder["initOutgoing"]>[0]);
      this.change(address, storage);
    });
  }

  /** Rejects with libsignal's `SessionError` if there is no session. */
  async encrypt(address: string, data: Uint8Array): Promise<{ type: SignalType; ciphertext: Uint8Array }> {
    return await this.inLine(address, async () => {
      const storage = await this.storageOf(address);
      const { type, body } = await cipherOf(storage, address).encrypt(data);
      this.change(address, storage);
      return { type: type === preKeyType ? "pkmsg" : "msg", ciphertext: body as unknown as Uint8Array };
    });
  }

  /**
   * Decrypts a message, and stores what it changed with the events that `read` returns. Nothing is stored if it cannot be decrypted, and
   * if `read` rejects. Rejects with `SessionsAway` if the store fails before the decryption.
   */
  async decrypt(address: string, type: SignalType, ciphertext: Uint8Array, read = noEvents): Promise<Uint8Array> {
    return await this.inLine(address, async () => {
      // The write below must not be older than that of a message that is being sent.
      await available(this.save());
      const identity = type === "pkmsg" ? await available(this.newIdentity(address, ciphertext)) : undefined;
      // A contact with another key has registered anew, and has none of the former sessions.
      const isNew = identity?.isChanged === true;
      const storage = isNew ? new SessionStorage(undefined, this.creds, this.keys) : await available(this.storageOf(address));
      const cipher = cipherOf(storage, address);
      const padded = await (type === "pkmsg" ? cipher.decryptPreKeyWhisperMessage(ciphertext) : cipher.decryptWhisperMessage(ciphertext));
      const events = await read(padded);
      const { changed, usedPreKey } = storage;
      await this.write(
        {
          ...(changed === undefined ? {} : { session: { [address]: changed } }),
          ...(usedPreKey === undefined ? {} : { "pre-key": { [usedPreKey]: null } }),
          ...(identity === undefined ? {} : { "identity-key": { [address]: identity.key } }),
        },
        events,
      );
      this.prepared.delete(address);
      return padded;
    });
  }

  /** Stores the sessions of all messages that were encrypted so far. Returns `undefined` if they are stored. */
  save(): Promise<void> | undefined {
    if (this.unsaved.size === 0) return undefined;
    return this.saving.run(async () => {
      const sessions = [...this.unsaved];
      if (sessions.length === 0) return;
      await this.write({ session: Object.fromEntries(sessions) }, []);
      // A session that encrypted meanwhile is stored by the next call.
      for (const [address, session] of sessions) if (this.unsaved.get(address) === session) this.unsaved.delete(address);
    });
  }

  /** Runs work of the library that reads or changes stored sessions. */
  async outside<T>(work: () => Promise<T>): Promise<T> {
    await this.save();
    try {
      return await work();
    } finally {
      this.prepared.clear();
    }
  }

  private change(address: string, { changed }: SessionStorage): void {
    if (changed === undefined) return;
    this.unsaved.set(address, changed);
    if (this.sends > 0) this.prepared.set(address, changed);
  }

  private known(address: string): StoredSession | undefined {
    return this.unsaved.get(address) ?? this.prepared.get(address);
  }

  private async storageOf(address: string): Promise<SessionStorage> {
    return new SessionStorage(await this.read(address), this.creds, this.keys);
  }

  /** A damaged session counts as absent, as in the library: devices agree on another one. Rejects if the store fails. */
  private async read(address: string): Promise<StoredSession | undefined> {
    try {
      const known = this.known(address);
      if (known !== undefined) return known;
      const found = (await this.keys.get("session", [address]))[address];
      if (found !== undefined && this.sends > 0 && this.known(address) === undefined) this.prepared.set(address, found);
      return found;
    } catch (error) {
      // A new session in the place of one that is only out of reach would lose the messages on their way to it.
      if (!(error instanceof UnreadableRecord)) throw error;
      return undefined;
    }
  }

  /** Returns the contact's identity key if it is not the stored one. */
  private async newIdentity(address: string, ciphertext: Uint8Array): Promise<{ key: Uint8Array; isChanged: boolean } | undefined> {
    const key = fieldOf(ciphertext.subarray(1), identityField);
    if (key.length !== identityBytes) return undefined;
    const stored = (await this.keys.get("identity-key", [address]))[address];
    if (stored !== undefined && Buffer.compare(stored, key) === 0) return undefined;
    return { key: Uint8Array.from(key), isChanged: stored !== undefined };
  }

  /** Tries twice: a write of keys and events may be repeated. */
  private async write(changes: SignalDataSet, events: readonly UpdateEvent[]): Promise<void> {
    try {
      await this.keys.set(changes, events);
    } catch {
      await pause(retryMs);
      await this.keys.set(changes, events);
    }
  }

  private async inLine<T>(address: string, work: () => Promise<T>): Promise<T> {
    const release = this.lines.tryEnter([address]) ?? (await this.lines.enter([address]));
    try {
      return await work();
    } finally {
      release();
    }
  }
}

async function available<T>(work: Promise<T>): Promise<T>;
async function available<T>(work: Promise<T> | undefined): Promise<T | undefined>;
async function available<T>(work: Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    // Damaged data stays damaged. The message is then one that cannot be decrypted.
    throw error instanceof UnreadableRecord ? error : new SessionsAway(error);
  }
}

const retryMs = 500;
/** libsignal's type of a message that begins a session. */
const preKeyType = 3;
/** Number of the field, and its length with the type of the curve, in a message that begins a session. */
const identityField = 3;
const identityBytes = 33;

/** libsignal queues by address for all accounts of the process, and `SignalSessions` has lines of its own. */
function cipherOf(storage: SessionStorage, address: string): SessionCipher {
  const cipher = new SessionCipher(storage, protocolAddress(address)) as SessionCipher & { queueJob: unknown };
  cipher.queueJob = runNow;
  return cipher;
}

const runNow = async <T>(job: () => Promise<T>): Promise<T> => await job();

function protocolAddress(address: string): ProtocolAddress {
  const dot = address.lastIndexOf(".");
  return new ProtocolAddress(address.slice(0, dot), Number(address.slice(dot + 1)));
}

/** Judges a stored session as libsignal does. */
function isOpen(session: StoredSession | undefined): boolean {
  const { _sessions: found = {} } = (session ?? {}) as unknown as StoredRecord;
  return Object.values(found).some(({ indexInfo, registrationId }) => indexInfo?.closed === -1 && typeof registrationId === "number");
}

interface StoredRecord {
  readonly _sessions?: Readonly<Record<string, { readonly indexInfo?: { readonly closed?: number }; readonly registrationId?: unknown }>>;
}
