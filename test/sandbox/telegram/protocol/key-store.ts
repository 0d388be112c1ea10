/** Finds keys by their ids, and keeps them from one run of the sandbox to the next. */
import type { AuthKey } from "../rpc.js";
import { KeyRecord, type StoredKey } from "./auth-key.js";

/** Keys that were made and not used since; beyond this number the oldest are forgotten. */
const maxUnused = 10_000;

export class KeyStore {
  private readonly records = new Map<string, KeyRecord>();
  private readonly unused = new Set<KeyRecord>();

  get keys(): ReadonlyMap<string, AuthKey> {
    return this.records;
  }

  /** A key is known only to the data centre that made it. */
  find(idBytes: Buffer, dcId: number): KeyRecord | undefined {
    const record = this.records.get(idBytes.readBigUInt64LE(0).toString());
    return record?.dcId === dcId ? record : undefined;
  }

  has(id: string): boolean {
    return this.records.has(id);
  }

  /** Adds a key that its client has not used yet. */
  add(record: KeyRecord): void {
    this.records.set(record.id, record);
    this.unused.add(record);
    const [oldest] = this.unused;
    if (oldest && this.unused.size > maxUnused) this.drop(oldest.id);
  }

  /** A client has spoken with the key. */
  used(record: KeyRecord): void {
    this.unused.delete(record);
  }

  isUnused(record: KeyRecord): boolean {
    return this.unused.has(record);
  }

  get(id: string): KeyRecord | undefined {
    return this.records.get(id);
  }

  drop(id: string): boolean {
    const record = this.records.get(id);
    if (!record) return false;
    for (const session of record.sessions.values()) session.close();
    this.unused.delete(record);
    return this.records.delete(id);
  }

  export(): StoredKey[] {
    return [...this.records.values()].map((record) => record.toStored());
  }

  import(stored: readonly StoredKey[]): void {
    for (const one of stored) {
      const record = KeyRecord.fromStored(one);
      this.records.set(record.id, record);
    }
  }
}
