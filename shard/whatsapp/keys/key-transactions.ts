import { AsyncLocalStorage } from "node:async_hooks";
import type { SignalDataSet, SignalDataTypeMap, SignalKeyStoreWithTransaction } from "@whiskeysockets/baileys";
import { pause } from "../../../shared/flow/pause.js";
import { SerialQueue } from "../../../shared/flow/serial-queue.js";
import type { UpdateEvent } from "../../session/session-context.js";
import { KeyedSemaphore } from "../../flow/keyed-semaphore.js";
import type { EventKeyStore } from "./connection-keys.js";
import { ResyncRounds } from "./resync-rounds.js";

type KeyType = keyof SignalDataTypeMap;
type Found<T extends KeyType> = { [id: string]: SignalDataTypeMap[T] };

/**
 * Replaces the library's transactions: each reads its own changes and stores them in one write at its end. The library's lose late writes
 * (PATCHES.md). A send has none, because `SignalSessions` stores its sessions.
 */
export class KeyTransactions implements SignalKeyStoreWithTransaction {
  /** True until the library begins the transaction of the send that was started in this turn. */
  private startsSend = false;
  /** One transaction or send of each name at a time. */
  private readonly names = new KeyedSemaphore([Number.POSITIVE_INFINITY, 1]);
  private readonly outside = new SerialQueue();

  constructor(private readonly keys: EventKeyStore) {}

  /**
   * Runs a send of the library, which begins its transaction before its first wait. Sends of one name wait for each other and for
   * transactions. What a send changes is stored at once.
   */
  sending<T>(send: () => Promise<T>): Promise<T> {
    this.startsSend = true;
    try {
      return send();
    } finally {
      this.startsSend = false;
    }
  }

  /** Replaces the transaction methods of a socket, which reads them at each call. */
  replace(own: SignalKeyStoreWithTransaction): void {
    own.get = (type, ids) => this.get(type, ids);
    own.set = (data) => this.set(data);
    own.isInTransaction = () => this.isInTransaction();
    own.transaction = (work, name) => this.transaction(work, name);
  }

  async get<T extends KeyType>(type: T, ids: string[]): Promise<Found<T>> {
    return await (this.current()?.get(type, ids) ?? this.keys.get(type, ids));
  }

  async set(data: SignalDataSet): Promise<void> {
    const transaction = this.current();
    if (transaction === undefined) await this.outside.run(() => write(this.keys, data));
    else transaction.set(data);
  }

  /** Stores these events in the order of the calls, and of the writes outside of transactions. */
  async append(events: readonly UpdateEvent[]): Promise<void> {
    await this.outside.run(() => this.keys.set({}, events));
  }

  isInTransaction(): boolean {
    return this.current() !== undefined;
  }

  async transaction<T>(work: () => Promise<T>, name: string): Promise<T> {
    const isSend = this.startsSend;
    this.startsSend = false;
    if (this.isInTransaction()) return await work();
    const release = await this.names.enter([name]);
    try {
      return isSend ? await work() : await this.inContext(work);
    } finally {
      release();
    }
  }

  private async inContext<T>(work: () => Promise<T>): Promise<T> {
    const transaction = new Transaction(this.keys);
    running += 1;
    try {
      const result = await current.run({ of: this, transaction }, work);
      // Work that runs in this context and outlasts it may have changed more meanwhile.
      do await transaction.store();
      while (transaction.isChanged);
      return result;
    } finally {
      transaction.end();
      running -= 1;
      // Until the next transaction, no promise of the process visits the storage.
      if (running === 0) current.disable();
    }
  }

  private current(): Transaction | undefined {
    const context = current.getStore();
    return context?.of === this && !context.transaction.isOver ? context.transaction : undefined;
  }
}

/** Shared by the process. No account's work runs another account's transactions that need the first one's context. */
const current = new AsyncLocalStorage<{ readonly of: KeyTransactions; readonly transaction: Transaction }>();
/** Transactions of the process that have not ended. */
let running = 0;

class Transaction {
  private over = false;
  private cached: SignalDataSet = {};
  private changes: SignalDataSet = {};
  private readonly rounds = new ResyncRounds();
  private readonly storing = new SerialQueue();

  constructor(private readonly keys: EventKeyStore) {}

  get isOver(): boolean {
    return this.over;
  }

  get isChanged(): boolean {
    return Object.keys(this.changes).length > 0;
  }

  async get<T extends KeyType>(type: T, ids: string[]): Promise<Found<T>> {
    const missing = ids.filter((id) => this.cached[type]?.[id] === undefined);
    if (missing.length > 0) await this.read(type, missing);
    const found: Found<T> = {};
    for (const id of ids) {
      const value = this.cached[type]?.[id];
      if (value !== null && value !== undefined) found[id] = value;
    }
    if (type === "app-state-sync-version") for (const id of ids) this.rounds.count(id, versionOf(found[id]));
    return found;
  }

  set(data: SignalDataSet): void {
    merge(this.cached, data);
    merge(this.changes, data);
  }

  /** Stores all changes in one write. */
  store(): Promise<void> {
    return this.storing.run(async () => {
      const { changes } = this;
      const hasChanged = this.isChanged;
      this.changes = {};
      try {
        if (hasChanged) await write(this.keys, changes);
      } catch (error) {
        merge(changes, this.changes);
        this.changes = changes;
        throw error;
      }
    });
  }

  /** Clears the transaction's data: timers and sockets that were opened in its context keep it in memory. */
  end(): void {
    this.over = true;
    this.cached = {};
    this.changes = {};
  }

  private async read<T extends KeyType>(type: T, ids: string[]): Promise<void> {
    const read = await this.keys.get(type, ids);
    const fresh: Found<T> = {};
    // A value that was set meanwhile is newer than the value that was read.
    for (const id of ids) if (this.cached[type]?.[id] === undefined && read[id] !== undefined) fresh[id] = read[id];
    merge(this.cached, { [type]: fresh });
  }
}

/** Tries twice: a write of keys may be repeated. */
async function write(keys: EventKeyStore, changes: SignalDataSet): Promise<void> {
  try {
    await keys.set(changes);
  } catch {
    await pause(retryMs);
    await keys.set(changes);
  }
}

const retryMs = 500;

function merge(into: SignalDataSet, data: SignalDataSet): void {
  for (const type of Object.keys(data) as KeyType[]) Object.assign((into[type] ??= {}), data[type]);
}

function versionOf(state: unknown): number {
  return (state as SignalDataTypeMap["app-state-sync-version"] | undefined)?.version ?? 0;
}
