/** The Signal keys of one user in memory, and their form on disk. */
import { BufferJSON, type SignalDataSet, type SignalDataTypeMap, type SignalKeyStoreWithTransaction } from "@whiskeysockets/baileys";

type KeyType = keyof SignalDataTypeMap;

/** Type, id, and the value in the library's JSON form. */
export type StoredKey = readonly [type: string, id: string, json: string];

/** Types that a phone needs. The library's other types belong to a companion. */
const keptTypes = ["pre-key", "session", "sender-key", "identity-key"] as const;

/**
 * Transactions do nothing: a user's tasks run one after another. The library's keep an AsyncLocalStorage per store, which slows every
 * promise of the process on Node 20.
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

  /** Removes the oldest entry. */
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
