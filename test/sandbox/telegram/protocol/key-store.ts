/** Finds keys by their ids, and keeps them from one run of the sandbox to the next. */
import { type AuthKey } from "../rpc.js";
import { KeyRecord, type StoredKey } from "./auth-key.js";

export class KeyStore {
  private readonly records = new Map<string, KeyRecord>();

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

  add(record: KeyRecord): void {
    this.records.set(record.id, record);
  }

  get(id: string): KeyRecord | undefined {
    return this.records.get(id);
  }

  drop(id: string): boolean {
    for (const session of this.records.get(id)?.sessions.values() ?? []) session.close();
    return this.records.delete(id);
  }

  export(): StoredKey[] {
    return [...this.records.values()].map((record) => record.toStored());
  }

  import(stored: readonly StoredKey[]): void {
    for (const one of stored) this.add(KeyRecord.fromStored(one));
  }
}
