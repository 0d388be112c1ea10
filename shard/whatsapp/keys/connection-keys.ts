import type { SignalDataSet, SignalDataTypeMap, SignalKeyStore } from "@whiskeysockets/baileys";
import { ConnectionLost } from "../network/connection-error.js";

/**
 * The account's Signal keys as one connection has them. What the library has begun goes on when its connection is closed, such as a message that it decrypts: it would write what it has read before the next
 * connection began in the place of what that one has written since. So from the close on it writes nothing. The platform sends what nobody has acknowledged again.
 */
export class ConnectionKeys implements SignalKeyStore {
  private closed = false;
  /** Writes that the store has not answered. */
  private readonly writing = new Set<Promise<void>>();

  constructor(private readonly keys: SignalKeyStore) {}

  async get<T extends keyof SignalDataTypeMap>(type: T, ids: string[]): Promise<{ [id: string]: SignalDataTypeMap[T] }> {
    return await this.keys.get(type, ids);
  }

  async set(data: SignalDataSet): Promise<void> {
    if (this.closed) throw new ConnectionLost(undefined);
    const write = Promise.resolve(this.keys.set(data));
    this.writing.add(write);
    try {
      await write;
    } finally {
      this.writing.delete(write);
    }
  }

  /** Resolves when nothing is being written any more. */
  async close(): Promise<void> {
    this.closed = true;
    await Promise.allSettled(this.writing);
  }
}
