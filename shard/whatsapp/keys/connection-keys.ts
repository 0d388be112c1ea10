import type { SignalDataSet, SignalDataTypeMap, SignalKeyStore } from "@whiskeysockets/baileys";
import { OpenWrites } from "./open-writes.js";

/**
 * The account's Signal keys as one connection has them. What the library has begun goes on when its connection is closed, such as a message that it decrypts: it would write what it has read before the next
 * connection began in the place of what that one has written since. So from the close on it writes nothing. The platform sends what nobody has acknowledged again.
 */
export class ConnectionKeys implements SignalKeyStore {
  private readonly writes = new OpenWrites();

  constructor(private readonly keys: SignalKeyStore) {}

  async get<T extends keyof SignalDataTypeMap>(type: T, ids: string[]): Promise<{ [id: string]: SignalDataTypeMap[T] }> {
    return await this.keys.get(type, ids);
  }

  async set(data: SignalDataSet): Promise<void> {
    await this.writes.run(async () => await this.keys.set(data));
  }

  /** Resolves when nothing is being written any more. */
  async close(): Promise<void> {
    await this.writes.end();
  }
}
