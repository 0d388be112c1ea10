import type { SignalDataSet, SignalDataTypeMap, SignalKeyStore } from "@whiskeysockets/baileys";
import type { UpdateEvent } from "../../session/session-context.js";
import { OpenWrites } from "./open-writes.js";

/** A key store that stores webhook events in the same write as the keys. */
export interface EventKeyStore extends SignalKeyStore {
  set(data: SignalDataSet, events?: readonly UpdateEvent[]): Promise<void>;
}

/**
 * The account's Signal keys as one connection uses them. Library work continues after the close, so later writes are refused: they would
 * overwrite those of the next connection. The platform redelivers unacked messages.
 */
export class ConnectionKeys implements EventKeyStore {
  private readonly writes = new OpenWrites();

  constructor(private readonly keys: EventKeyStore) {}

  async get<T extends keyof SignalDataTypeMap>(type: T, ids: string[]): Promise<{ [id: string]: SignalDataTypeMap[T] }> {
    return await this.keys.get(type, ids);
  }

  async set(data: SignalDataSet, events: readonly UpdateEvent[] = []): Promise<void> {
    await this.writes.run(async () => await this.keys.set(withoutGiven(data), events));
  }

  /** Resolves when all writes are done. Later writes are refused. */
  async close(): Promise<void> {
    await this.writes.end();
  }
}

const index = "__index";

/**
 * Omits the library's token index when only own tokens changed: it lists all people and is rewritten whole for each, which is quadratic.
 * Senders of tokens stay in it.
 */
function withoutGiven(data: SignalDataSet): SignalDataSet {
  const { tctoken } = data;
  if (tctoken?.[index] == null) return data;
  const { [index]: _, ...people } = tctoken;
  const tokens = Object.values(people);
  return tokens.length > 0 && tokens.every((one) => one?.token.length === 0) ? { ...data, tctoken: people } : data;
}
