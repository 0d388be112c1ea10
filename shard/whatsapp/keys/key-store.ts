import { proto, type SignalDataSet, type SignalDataTypeMap, type SignalKeyStore } from "@whiskeysockets/baileys";
import type { SecretMap, UpdateEvent } from "../../session/session-context.js";
import { withOwnMemory } from "../../../shared/flow/own-memory.js";
import { SerialQueue } from "../../../shared/flow/serial-queue.js";
import { openRecord } from "../../../shared/session/unreadable-record.js";
import { RecentCache } from "../../flow/recent-cache.js";
import { TimeSlice } from "../../flow/time-slice.js";
import { SenderKeys } from "../sender-keys/sender-keys.js";
import { fromJson, toJson } from "./json-bytes.js";
import { type Holders, KeyHolders, allNeedingKey, noHolders } from "./key-holders.js";
import { OpenWrites } from "./open-writes.js";
import { packJson, packValue, unpackJson } from "./packed-json.js";
import { isSessionForm, packSession } from "./packed-session.js";
import { Prekeys } from "./prekeys.js";

type KeyType = keyof SignalDataTypeMap;

/**
 * The Signal keys of one session in its secret map, field `<type>:<id>`. One `set` is one atomic write, durable before it resolves.
 * Frequent reads are cached as text, because the library changes the objects that it gets. It does not change sessions and identity keys.
 */
export class KeyStore implements SignalKeyStore {
  private readonly recent = new RecentCache<Kept>({ maxSize: recentMaxBytes, maxEntrySize: recentMaxBytes / 8 });

  /** The latest read of each field. A write removes the entry, so a read that began earlier is not cached. */
  private readonly latestReads = new Map<string, object>();
  private readonly keyHolders = new KeyHolders();
  /** Serializes changes of a group's key holders, which are read, changed and stored. */
  private readonly holding = new SerialQueue();
  private readonly writes = new OpenWrites();

  readonly prekeys: Prekeys;
  /** The library itself neither reads nor writes sender keys. */
  readonly senderKeys = new SenderKeys({
    read: async (name) => (await this.get("sender-key", [name]))[name],
    write: (name, stored) => this.set({ "sender-key": { [name]: stored } }),
    renew: async (name, group, stored) => {
      await this.set({ "sender-key": { [name]: stored }, "sender-key-memory": { [group]: noHolders } });
      this.keyHolders.renewed(group);
    },
  });

  constructor(private readonly secrets: SecretMap) {
    this.prekeys = new Prekeys({ getMany: (fields) => secrets.getMany(fields), apply: (changes) => this.write(changes) });
  }

  async get<T extends KeyType>(type: T, ids: string[]): Promise<{ [id: string]: SignalDataTypeMap[T] }> {
    // `type` decides the result's type T, which the compiler cannot infer.
    if (type === "pre-key") return (await this.prekeys.get(ids)) as { [id: string]: SignalDataTypeMap[T] };
    if (type === "sender-key-memory") return (await this.issueHolders(ids)) as { [id: string]: SignalDataTypeMap[T] };
    const found: { [id: string]: SignalDataTypeMap[T] } = {};
    const missing: string[] = [];
    for (const id of ids) {
      while (timeSlice.isSpent()) await timeSlice.yield();
      const kept = this.recent.get(field(type, id));
      if (kept === undefined) missing.push(id);
      else if (kept !== absent) found[id] = revive(type, kept);
    }
    for (const [id, kept] of await this.read(type, missing)) if (kept !== absent) found[id] = revive(type, kept);
    return found;
  }

  /** `events` were made of the message whose decryption changed the keys. They are stored in the same write. */
  set(data: SignalDataSet, events: readonly UpdateEvent[] = []): Promise<void> {
    return data["sender-key-memory"] === undefined ? this.store(data, events) : this.holding.run(() => this.store(data, events));
  }

  /**
   * Records that this device gets the account's key of this group outside a group message. The next message sends it again. Durable before
   * it resolves.
   */
  given(group: string, device: string): Promise<void> {
    return this.holding.run(async () => {
      const holders = await this.readHolders(group);
      if (holders[device] === undefined) await this.store({ "sender-key-memory": { [group]: { ...holders, [device]: false } } });
    });
  }

  private async store(data: SignalDataSet, events: readonly UpdateEvent[] = []): Promise<void> {
    const written: Written[] = [];
    const usedUp: string[] = [];
    for (const [type, entries] of Object.entries(data) as [KeyType, SignalDataSet[KeyType]][]) {
      for (const [id, value] of Object.entries(entries ?? {})) {
        while (timeSlice.isSpent()) await timeSlice.yield();
        if (type === "pre-key" && value === null) usedUp.push(id);
        else if (type === "sender-key-memory") {
          const holders = await this.heldBy(id, value as Holders | null | undefined);
          if (holders !== undefined) written.push(this.written(type, id, isEmpty(holders) ? undefined : holders));
        } else written.push(this.written(type, id, value));
      }
    }
    if (written.length + usedUp.length + events.length === 0) return;
    // Until the store responds, either value may be stored.
    for (const { type, id } of written) this.invalidate(type, id);
    const changes = new Map(written.map(({ type, id, stored }) => [field(type, id), stored]));
    try {
      if (usedUp.length === 0) await this.write(changes, events);
      else await this.prekeys.remove(usedUp, (removed) => this.write(new Map([...changes, ...removed]), events));
    } finally {
      for (const { type, id } of written) this.invalidate(type, id);
    }
    for (const { type, id, kept, stored } of written) this.remember(type, id, kept, stored);
  }

  /** Returns the known holders of the account's key of this group. Does not read the store. */
  holders(group: string): Holders | undefined {
    return this.keyHolders.of(group);
  }

  /**
   * Marks the devices that lacked the account's key as served if all of them are keyless and other devices have the key. Returns their
   * count, or 0 if nothing changed.
   */
  async leaveOut(group: string, isKeyless: (device: string) => boolean): Promise<number> {
    const issued = this.keyHolders.issuedFor(group);
    if (issued === undefined) return 0;
    const given = this.keyHolders.addedTo(issued);
    if (!given.every(isKeyless) || !this.keyHolders.hasOthers(group, given)) return 0;
    if (given.length > 0) await this.set({ "sender-key-memory": { [group]: issued } });
    return given.length;
  }

  /** Returns the holders of the key. Reads the store if they are not known. */
  async readHolders(group: string): Promise<Holders> {
    const cached = this.keyHolders.of(group);
    if (cached !== undefined) return cached;
    const kept = (await this.read("sender-key-memory", [group])).get(group);
    return this.keyHolders.of(group) ?? holdersIn(kept ?? absent);
  }

  /**
   * Ends the login: its keys are deleted when this resolves, and later writes are refused. Library work continues after the close and
   * would overwrite the next device's prekeys, which reuse the ids.
   */
  async end(): Promise<void> {
    await this.writes.end();
    this.recent.clear();
    this.keyHolders.clear();
    this.senderKeys.forget();
    this.prekeys.forget();
    await this.secrets.clear();
  }

  /**
   * Returns the key holders to store, or `undefined` if they have not changed. Clearing the list does not revoke the key from devices that
   * already have it.
   */
  private async heldBy(group: string, value: Holders | null | undefined): Promise<Holders | undefined> {
    if (value === noHolders) return noHolders;
    const given = value ?? {};
    if (this.keyHolders.isIssued(given)) return this.keyHolders.returned(group, given);
    return { ...allNeedingKey(await this.readHolders(group)), ...given };
  }

  private async issueHolders(groups: readonly string[]): Promise<Record<string, Holders>> {
    const found: Record<string, Holders> = {};
    const missing: string[] = [];
    for (const group of groups) {
      const cached = this.keyHolders.of(group);
      if (cached === undefined) missing.push(group);
      else found[group] = this.keyHolders.issue(group, cached);
    }
    for (const [group, kept] of await this.read("sender-key-memory", missing))
      found[group] = this.keyHolders.issue(group, this.keyHolders.of(group) ?? holdersIn(kept));
    return found;
  }

  /** Reads values from the store; `absent` for missing ones. */
  private async read(type: KeyType, ids: readonly string[]): Promise<Map<string, Kept>> {
    const found = new Map<string, Kept>();
    if (ids.length === 0) return found;
    const mark = {};
    for (const id of ids) this.latestReads.set(field(type, id), mark);
    try {
      const values = await this.secrets.getMany(ids.map((id) => field(type, id)));
      for (const [index, id] of ids.entries()) {
        const stored = values[index];
        const kept = stored === undefined ? absent : keptForm(type, stored);
        found.set(id, kept);
        if (this.latestReads.get(field(type, id)) === mark) this.remember(type, id, kept, stored);
      }
      return found;
    } finally {
      for (const id of ids) if (this.latestReads.get(field(type, id)) === mark) this.latestReads.delete(field(type, id));
    }
  }

  /** Drops the cached value and ignores the result of any read in progress. */
  private invalidate(type: KeyType, id: string): void {
    if (type === "sender-key-memory") this.keyHolders.forget(id);
    this.recent.delete(field(type, id));
    this.latestReads.delete(field(type, id));
  }

  private write(changes: ReadonlyMap<string, Buffer | undefined>, events: readonly UpdateEvent[] = []): Promise<void> {
    return this.writes.run(() => this.secrets.apply(changes, events));
  }

  private written(type: KeyType, id: string, value: unknown): Written {
    if (value === null || value === undefined) return { type, id, kept: absent, stored: undefined };
    if (type === "session") return { type, id, kept: value, stored: isSessionForm(value) ? packSession(value) : packValue(value) };
    const text = toJson(value);
    return { type, id, kept: keptJson(type, text), stored: packJson(text) };
  }

  private remember(type: KeyType, id: string, kept: Kept, stored: Buffer | undefined): void {
    if (type === "sender-key-memory") this.keyHolders.learn(id, holdersIn(kept));
    else if (readOften.has(type)) {
      const name = field(type, id);
      const size = name.length + (typeof kept === "string" ? kept.length : sizeInMemory * (stored?.length ?? 0));
      this.recent.set(name, kept, { size });
    }
  }
}

/** The cached form of a value: its text, a session object as the library writes it, or the bytes of an identity key. */
type Kept = string | object;

interface Written {
  readonly type: KeyType;
  readonly id: string;
  readonly kept: Kept;
  readonly stored: Buffer | undefined;
}

const readOften: ReadonlySet<KeyType> = new Set(["session", "lid-mapping", "device-list", "identity-key", "tctoken", "app-state-sync-key"]);
/** Marks a value that is not stored. */
const absent = "";
/** About 300 remote devices. */
const recentMaxBytes = 512 * 1024;
/** A packed session is a third of its text. */
const sizeInMemory = 3;
/**
 * A status to thousands reads thousands of keys from memory in a row. All sessions share one time slice because they share one event loop.
 */
const timeSlice = new TimeSlice(10);

const field = (type: KeyType, id: string): string => `${type}:${id}`;

/** Throws `UnreadableRecord` for a damaged session, in whose place devices agree on another one. */
function keptForm(type: KeyType, stored: Buffer): Kept {
  if (type === "session") return openRecord(type, () => JSON.parse(unpackJson(stored)) as object);
  return keptJson(type, unpackJson(stored));
}

/** An identity key is read with each message. The library's own bytes of it are a part of a larger frame. */
function keptJson(type: KeyType, text: string): Kept {
  return type === "identity-key" ? withOwnMemory(() => fromJson(text) as Buffer) : text;
}

function isEmpty(holders: Holders): boolean {
  for (const _ in holders) return false;
  return true;
}

function holdersIn(kept: Kept): Holders {
  return kept === absent ? noHolders : revive("sender-key-memory", kept);
}

/** The value was written by `set` under the same type; its seal proves that it was not changed. */
function revive<T extends KeyType>(type: T, kept: Kept): SignalDataTypeMap[T] {
  if (typeof kept !== "string") return kept as SignalDataTypeMap[T];
  const value = fromJson(kept);
  if (type === "app-state-sync-key" && typeof value === "object" && value !== null)
    return proto.Message.AppStateSyncKeyData.fromObject(value) as unknown as SignalDataTypeMap[T];
  return value as SignalDataTypeMap[T];
}
