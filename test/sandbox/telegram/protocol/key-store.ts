/** Finds keys by id, and keeps them over a restart of the sandbox. */
import type { AuthKey } from "../rpc.js";
import { KeyRecord, type StoredKey } from "./auth-key.js";

/** Limit of unused keys; the oldest is evicted. */
const maxUnused = 10_000;

export class KeyStore {
  private readonly records = new Map<string, KeyRecord>();
  private readonly unused = new Set<KeyRecord>();

  get keys(): ReadonlyMap<string, AuthKey> {
    return this.records;
  }

  /** Only the data centre that created a key knows it. */
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

  /** Marks a key as used by its client. */
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
