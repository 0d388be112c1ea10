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
    await this.writes.run(async () => await this.keys.set(withoutGiven(data)));
  }

  /** Resolves when nothing is being written any more. */
  async close(): Promise<void> {
    await this.writes.end();
  }
}

const index = "__index";

/**
 * The library lists everybody whose tokens may expire in one value, which it writes anew, whole, with each person to whom the account gives its own: the square of their number. Whoever has given us
 * none is left out of it; what stays of them is when they were given ours, as long as the login does.
 */
function withoutGiven(data: SignalDataSet): SignalDataSet {
  const { tctoken } = data;
  if (tctoken?.[index] == null) return data;
  const { [index]: _, ...people } = tctoken;
  const tokens = Object.values(people);
  return tokens.length > 0 && tokens.every((one) => one?.token.length === 0) ? { ...data, tctoken: people } : data;
}
