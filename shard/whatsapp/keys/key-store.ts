import { proto, type SignalDataSet, type SignalDataTypeMap, type SignalKeyStore } from "@whiskeysockets/baileys";
import { LRUCache } from "lru-cache";
import type { SecretMap } from "../../session/session-context.js";
import { SerialQueue } from "../../../shared/flow/serial-queue.js";
import { TimeSlice } from "../../flow/time-slice.js";
import { SenderKeys } from "../sender-keys/sender-keys.js";
import { fromJsonBytes, toJsonBytes } from "./json-bytes.js";
import { type Holders, KeyHolders, needy, nobody } from "./key-holders.js";
import { OpenWrites } from "./open-writes.js";
import { packJson, packValue, unpackJson } from "./packed-json.js";
import { Prekeys } from "./prekeys.js";

type KeyType = keyof SignalDataTypeMap;

/**
 * The Signal keys of one session in its secret map, field `<type>:<id>`, packed; prekeys have a way of their own (`Prekeys`). One `set` is one atomic write, durable before it resolves; the library makes
 * one such call for each of its transactions. What is asked for with every message is kept in memory, that something is not there too: as text, because the library changes the objects
 * that it is given before it stores them; all but sessions, of which it makes objects of its own. The cache dies with this object, so with the ownership of the session or with the login that the keys are of.
 */
export class KeyStore implements SignalKeyStore {
  private readonly recent = new LRUCache<string, Kept>({ maxSize: recentMaxBytes, maxEntrySize: recentMaxBytes / 8 });

  /** What was last asked for of these fields. One that was written meanwhile is another one than the answer's. */
  private readonly asked = new Map<string, object>();
  private readonly keyHolders = new KeyHolders();
  /** Who has the key of a group is read, changed and stored by one after the other. */
  private readonly holding = new SerialQueue();
  private readonly writes = new OpenWrites();

  readonly prekeys: Prekeys;
  /** The library itself reads and writes none. */
  readonly senderKeys = new SenderKeys({
    read: async (name) => (await this.get("sender-key", [name]))[name],
    write: (name, stored) => this.set({ "sender-key": { [name]: stored } }),
    renew: async (name, group, stored) => {
      await this.set({ "sender-key": { [name]: stored }, "sender-key-memory": { [group]: nobody } });
      this.keyHolders.renewed(group);
    },
  });

  constructor(private readonly secrets: SecretMap) {
    this.prekeys = new Prekeys({ getMany: (fields) => secrets.getMany(fields), apply: (changes) => this.write(changes) });
  }

  async get<T extends KeyType>(type: T, ids: string[]): Promise<{ [id: string]: SignalDataTypeMap[T] }> {
    // The type says which map it is, and the compiler does not know that this decides T.
    if (type === "pre-key") return (await this.prekeys.get(ids)) as { [id: string]: SignalDataTypeMap[T] };
    if (type === "sender-key-memory") return (await this.lendHolders(ids)) as { [id: string]: SignalDataTypeMap[T] };
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

  set(data: SignalDataSet): Promise<void> {
    return data["sender-key-memory"] === undefined ? this.store(data) : this.holding.run(() => this.store(data));
  }

  /** This device is given the account's key of this group by the way: it has the key, and gets it with the next message all the same. Durable before it resolves. */
  given(group: string, device: string): Promise<void> {
    return this.holding.run(async () => {
      const holders = await this.readHolders(group);
      if (holders[device] === undefined) await this.store({ "sender-key-memory": { [group]: { ...holders, [device]: false } } });
    });
  }

  private async store(data: SignalDataSet): Promise<void> {
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
    if (written.length + usedUp.length === 0) return;
    // Until the store has answered, nobody knows which of the two values stands there.
    for (const { type, id } of written) this.invalidate(type, id);
    const changes = new Map(written.map(({ type, id, stored }) => [field(type, id), stored]));
    try {
      if (usedUp.length === 0) await this.write(changes);
      else await this.prekeys.remove(usedUp, (removed) => this.write(new Map([...changes, ...removed])));
    } finally {
      for (const { type, id } of written) this.invalidate(type, id);
    }
    for (const { type, id, kept, stored } of written) this.remember(type, id, kept, stored);
  }

  /** Who is known to have the account's key of this group, without a look at the store. */
  holders(group: string): Holders | undefined {
    return this.keyHolders.of(group);
  }

  /**
   * Counts the devices that the last message to this group was to give the account's key to as if they had been given it, where that is true of all of them and others have the key: how many they are. Otherwise
   * nothing is changed, and it is 0.
   */
  async leaveOut(group: string, isKeyless: (device: string) => boolean): Promise<number> {
    const lent = this.keyHolders.lentOf(group);
    if (lent === undefined) return 0;
    const given = this.keyHolders.addedTo(lent);
    if (!given.every(isKeyless) || !this.keyHolders.hasOthers(group, given)) return 0;
    if (given.length > 0) await this.set({ "sender-key-memory": { [group]: lent } });
    return given.length;
  }

  /** The same, from the store when it is not known. */
  async readHolders(group: string): Promise<Holders> {
    const known = this.keyHolders.of(group);
    if (known !== undefined) return known;
    const kept = (await this.read("sender-key-memory", [group])).get(group);
    return this.keyHolders.of(group) ?? holdersIn(kept ?? absent);
  }

  /**
   * The login is over: its keys are gone when this resolves, and no other is written here. What the library has begun goes on when its connection is closed, and the
   * prekeys of the next device have the numbers of those that it would write.
   */
  async end(): Promise<void> {
    await this.writes.end();
    this.recent.clear();
    this.keyHolders.clear();
    this.senderKeys.forget();
    this.prekeys.forget();
    await this.secrets.clear();
  }

  /** What is to be stored; `undefined` when that is stored already. What the library takes off all, who was given the key still has; so they have with a status, for which it was lent nothing. */
  private async heldBy(group: string, value: Holders | null | undefined): Promise<Holders | undefined> {
    if (value === nobody) return nobody;
    const given = value ?? {};
    if (this.keyHolders.isLent(given)) return this.keyHolders.returned(group, given);
    return { ...needy(await this.readHolders(group)), ...given };
  }

  private async lendHolders(groups: readonly string[]): Promise<Record<string, Holders>> {
    const found: Record<string, Holders> = {};
    const missing: string[] = [];
    for (const group of groups) {
      const known = this.keyHolders.of(group);
      if (known === undefined) missing.push(group);
      else found[group] = this.keyHolders.lend(group, known);
    }
    for (const [group, kept] of await this.read("sender-key-memory", missing))
      found[group] = this.keyHolders.lend(group, this.keyHolders.of(group) ?? holdersIn(kept));
    return found;
  }

  /** From the store, `absent` for what is not there. */
  private async read(type: KeyType, ids: readonly string[]): Promise<Map<string, Kept>> {
    const found = new Map<string, Kept>();
    if (ids.length === 0) return found;
    const asking = {};
    for (const id of ids) this.asked.set(field(type, id), asking);
    try {
      const values = await this.secrets.getMany(ids.map((id) => field(type, id)));
      for (const [index, id] of ids.entries()) {
        const stored = values[index];
        const kept = stored === undefined ? absent : keptForm(type, stored);
        found.set(id, kept);
        if (this.asked.get(field(type, id)) === asking) this.remember(type, id, kept, stored);
      }
      return found;
    } finally {
      for (const id of ids) if (this.asked.get(field(type, id)) === asking) this.asked.delete(field(type, id));
    }
  }

  /** What is in memory may not be what is stored, nor what a read that is under way will bring. */
  private invalidate(type: KeyType, id: string): void {
    if (type === "sender-key-memory") this.keyHolders.forget(id);
    this.recent.delete(field(type, id));
    this.asked.delete(field(type, id));
  }

  private write(changes: ReadonlyMap<string, Buffer | undefined>): Promise<void> {
    return this.writes.run(() => this.secrets.apply(changes));
  }

  private written(type: KeyType, id: string, value: unknown): Written {
    if (value === null || value === undefined) return { type, id, kept: absent, stored: undefined };
    if (type === "session") return { type, id, kept: value, stored: packValue(value) };
    const text = toJsonBytes(value);
    return { type, id, kept: text, stored: packJson(text) };
  }

  private remember(type: KeyType, id: string, kept: Kept, stored: Buffer | undefined): void {
    if (type === "sender-key-memory") this.keyHolders.learn(id, holdersIn(kept));
    else if (readOften.has(type)) {
      const name = field(type, id);
      const size = name.length + (Buffer.isBuffer(kept) ? kept.length : sizeInMemory * (stored?.length ?? 0));
      this.recent.set(name, kept, { size });
    }
  }
}

/** What stands in memory for a value: its text, or a session as the library writes it. */
type Kept = Buffer | object;

interface Written {
  readonly type: KeyType;
  readonly id: string;
  readonly kept: Kept;
  readonly stored: Buffer | undefined;
}

const readOften: ReadonlySet<KeyType> = new Set(["session", "lid-mapping", "device-list", "identity-key", "tctoken", "app-state-sync-key"]);
/** Stands for what is not stored. */
const absent = Buffer.alloc(0);
/** About 300 remote devices. */
const recentMaxBytes = 512 * 1024;
/** A packed session is a third of its text. */
const sizeInMemory = 3;
/** A status to thousands reads thousands of keys from memory in a row. One for the process: it shares one event loop. */
const timeSlice = new TimeSlice(10);

const field = (type: KeyType, id: string): string => `${type}:${id}`;

function keptForm(type: KeyType, stored: Buffer): Kept {
  const text = unpackJson(stored);
  return type === "session" ? (JSON.parse(text.toString()) as object) : text;
}

function isEmpty(holders: Holders): boolean {
  for (const _ in holders) return false;
  return true;
}

function holdersIn(kept: Kept): Holders {
  return kept === absent ? nobody : revive("sender-key-memory", kept);
}

/** What stands in the map was written by `set` under the same type; its seal proves that nobody else wrote it. */
function revive<T extends KeyType>(type: T, kept: Kept): SignalDataTypeMap[T] {
  if (!Buffer.isBuffer(kept)) return kept as SignalDataTypeMap[T];
  const value = fromJsonBytes(kept);
  if (type === "app-state-sync-key" && typeof value === "object" && value !== null)
    return proto.Message.AppStateSyncKeyData.fromObject(value) as unknown as SignalDataTypeMap[T];
  return value as SignalDataTypeMap[T];
}
