import { proto, type SignalDataSet, type SignalDataTypeMap, type SignalKeyStore } from "@whiskeysockets/baileys";
import { LRUCache } from "lru-cache";
import type { SchemaPort } from "../../../shared/schema/schema-follower.js";
import { packedSchema } from "../../../shared/schema/schema-version.js";
import type { SecretMap } from "../../session/session-context.js";
import { TimeSlice } from "../../flow/time-slice.js";
import { SenderKeys } from "../sender-keys/sender-keys.js";
import { ConnectionLost } from "../network/connection-error.js";
import { fromJsonBytes, toJsonBytes } from "./json-bytes.js";
import { packJson, unpackJson } from "./packed-json.js";
import { Prekeys } from "./prekeys.js";

type KeyType = keyof SignalDataTypeMap;

/**
 * The Signal keys of one session in its secret map, field `<type>:<id>`, packed; prekeys have a way of their own (`Prekeys`). One `set` is one atomic write, durable before it resolves; the library makes
 * one such call for each of its transactions. What is read with every message is kept in memory as text, because the library changes the objects
 * that it is given before it stores them. The cache dies with this object, so with the ownership of the session or with the login that the keys are of.
 */
export class KeyStore implements SignalKeyStore {
  private readonly recent = new LRUCache<string, Buffer>({
    maxSize: recentMaxBytes,
    sizeCalculation: (bytes, field) => bytes.length + field.length,
    maxEntrySize: recentMaxBytes / 8,
  });

  private ended = false;
  /** Writes that the store has not answered. */
  private readonly writing = new Set<Promise<void>>();

  readonly prekeys: Prekeys;
  /** The library itself reads and writes none. */
  readonly senderKeys = new SenderKeys({
    read: async (name) => (await this.get("sender-key", [name]))[name],
    write: (name, stored) => this.set({ "sender-key": { [name]: stored } }),
  });

  constructor(
    private readonly secrets: SecretMap,
    private readonly schema: SchemaPort,
  ) {
    this.prekeys = new Prekeys({ getMany: (fields) => secrets.getMany(fields), apply: (changes) => this.write(changes) }, schema);
  }

  async get<T extends KeyType>(type: T, ids: string[]): Promise<{ [id: string]: SignalDataTypeMap[T] }> {
    // The type says which map it is, and the compiler does not know that this decides T.
    if (type === "pre-key") return (await this.prekeys.get(ids)) as { [id: string]: SignalDataTypeMap[T] };
    const found: { [id: string]: SignalDataTypeMap[T] } = {};
    const missing: string[] = [];
    for (const id of ids) {
      await timeSlice.yieldWhenSpent();
      const bytes = this.recent.get(field(type, id));
      if (bytes === undefined) missing.push(id);
      else found[id] = revive(type, bytes);
    }
    if (missing.length === 0) return found;
    const values = await this.secrets.getMany(missing.map((id) => field(type, id)));
    for (const [index, id] of missing.entries()) {
      const stored = values[index];
      if (stored === undefined) continue;
      const bytes = unpackJson(stored);
      found[id] = revive(type, bytes);
      this.remember(type, id, bytes);
    }
    return found;
  }

  async set(data: SignalDataSet): Promise<void> {
    const written: { readonly type: KeyType; readonly id: string; readonly bytes: Buffer | undefined }[] = [];
    const usedUp: string[] = [];
    for (const [type, entries] of Object.entries(data) as [KeyType, SignalDataSet[KeyType]][]) {
      for (const [id, value] of Object.entries(entries ?? {})) {
        await timeSlice.yieldWhenSpent();
        if (type === "pre-key" && value === null) usedUp.push(id);
        else written.push({ type, id, bytes: value === null || value === undefined ? undefined : toJsonBytes(value) });
      }
    }
    // Until the store has answered, nobody knows which of the two values stands there.
    for (const { type, id } of written) this.recent.delete(field(type, id));
    const changes = new Map(written.map(({ type, id, bytes }) => [field(type, id), bytes && this.storedForm(bytes)]));
    if (usedUp.length === 0) await this.write(changes);
    else await this.prekeys.remove(usedUp, (removed) => this.write(new Map([...changes, ...removed])));
    for (const { type, id, bytes } of written) if (bytes !== undefined) this.remember(type, id, bytes);
  }

  /**
   * The login is over: its keys are gone when this resolves, and no other is written here. What the library has begun goes on when its connection is closed, and the
   * prekeys of the next device have the numbers of those that it would write.
   */
  async end(): Promise<void> {
    this.ended = true;
    await Promise.allSettled(this.writing);
    this.recent.clear();
    this.senderKeys.forget();
    this.prekeys.forget();
    await this.secrets.clear();
  }

  private async write(changes: ReadonlyMap<string, Buffer | undefined>): Promise<void> {
    if (this.ended) throw new ConnectionLost(undefined);
    const write = this.secrets.apply(changes);
    this.writing.add(write);
    try {
      await write;
    } finally {
      this.writing.delete(write);
    }
  }

  /** Packed as soon as every shard that may get the session can read it. */
  private storedForm(bytes: Buffer): Buffer {
    return this.schema.written >= packedSchema ? packJson(bytes) : bytes;
  }

  private remember(type: KeyType, id: string, bytes: Buffer): void {
    if (readOften.has(type)) this.recent.set(field(type, id), bytes);
  }
}

const readOften: ReadonlySet<KeyType> = new Set(["session", "lid-mapping", "app-state-sync-key"]);
/** About 300 remote devices. */
const recentMaxBytes = 512 * 1024;
/** A status to thousands reads thousands of keys from memory in a row. One for the process: it shares one event loop. */
const timeSlice = new TimeSlice(10);

const field = (type: KeyType, id: string): string => `${type}:${id}`;

/** What stands in the map was written by `set` under the same type; its seal proves that nobody else wrote it. */
function revive<T extends KeyType>(type: T, bytes: Buffer): SignalDataTypeMap[T] {
  const value = fromJsonBytes(bytes);
  if (type === "app-state-sync-key" && typeof value === "object" && value !== null)
    return proto.Message.AppStateSyncKeyData.fromObject(value) as unknown as SignalDataTypeMap[T];
  return value as SignalDataTypeMap[T];
}
