/** Signal keys of one user, in memory, and their form on disk. */
import { BufferJSON, type SignalDataSet, type SignalDataTypeMap, type SignalKeyStoreWithTransaction } from "@whiskeysockets/baileys";

type KeyType = keyof SignalDataTypeMap;

/** Type, id, and the value as JSON of the library's own form. */
export type StoredKey = readonly [type: string, id: string, json: string];

/** What a phone needs; the other types of the library's store belong to a companion. */
const keptTypes = ["pre-key", "session", "sender-key", "identity-key"] as const;

/**
 * Its transactions are none: tasks of a user run one after another anyway. The library's own transactions keep an AsyncLocalStorage per store, and on Node 20
 * every promise of the process pays for each of them: with a thousand users most of all time went there.
 */
export class MemoryKeys implements SignalKeyStoreWithTransaction {
  private readonly entries: { [T in KeyType]?: Map<string, SignalDataTypeMap[T]> } = {};

  isInTransaction(): boolean {
    return false;
  }

  async transaction<T>(task: () => Promise<T>): Promise<T> {
    return await task();
  }

  get<T extends KeyType>(type: T, ids: string[]): { [id: string]: SignalDataTypeMap[T] } {
    const found: { [id: string]: SignalDataTypeMap[T] } = {};
    for (const id of ids) {
      const value = this.shelf(type).get(id);
      if (value !== undefined) found[id] = value;
    }
    return found;
  }

  set(data: SignalDataSet): void {
    for (const type of keptTypes) this.put(type, data[type]);
  }

  count(type: KeyType): number {
    return this.entries[type]?.size ?? 0;
  }

  /** Forgets the entry that was added first. */
  dropOldest(type: KeyType): void {
    const shelf = this.entries[type];
    const [oldest] = shelf?.keys() ?? [];
    if (oldest !== undefined) shelf?.delete(oldest);
  }

  export(): StoredKey[] {
    return keptTypes.flatMap((type) =>
      [...this.shelf<KeyType>(type)].map(([id, value]): StoredKey => [type, id, JSON.stringify(value, BufferJSON.replacer)]),
    );
  }

  import(stored: readonly StoredKey[]): void {
    for (const [type, id, json] of stored) {
      const kept = keptTypes.find((one) => one === type);
      if (!kept) throw new TypeError(`unknown key type ${type}`);
      this.shelf<KeyType>(kept).set(id, JSON.parse(json, BufferJSON.reviver));
    }
  }

  private put<T extends KeyType>(type: T, values: { [id: string]: SignalDataTypeMap[T] | null } | undefined): void {
    for (const [id, value] of Object.entries(values ?? {})) {
      if (value === null) this.shelf(type).delete(id);
      else this.shelf(type).set(id, value);
    }
  }

  private shelf<T extends KeyType>(type: T): Map<string, SignalDataTypeMap[T]> {
    const shelves: { [K in T]?: Map<string, SignalDataTypeMap[K]> } = this.entries;
    return (shelves[type] ??= new Map<string, SignalDataTypeMap[T]>());
  }
}
