import { jidDecode } from "@whiskeysockets/baileys";
import { recentCache } from "../../flow/recent-cache.js";
import type { Client } from "../client.js";
import type { Device } from "../group/keyed-groups.js";
import { cacheStore, type ReadableCache } from "../network/cache-store.js";
import { otherNames } from "../other-names.js";

/** Remembers the devices of people. The library reads and fills `cache`; `onChange` is called with the user whose list changed. */
export class DeviceLists {
  readonly cache: ReadableCache;
  /** By chat, the server's hash of a device list that a new look-up did not change. */
  private readonly unexplained = recentCache<string>(chatsMax);

  constructor(onChange: (user: string) => void) {
    const store = cacheStore(devicesMax, devicesMs, onChange);
    this.cache = { ...store, set: (user, list) => store.set(user, Array.isArray(list) ? eachOnce(list as Device[]) : list) };
  }

  /** Returns what is remembered of a user (digits). */
  known(user: string): readonly Device[] | undefined {
    return this.cache.get<readonly Device[]>(user);
  }

  /** Returns the devices (JIDs) of these people, each once. Asks the platform once for every person who is not remembered. */
  async of(client: Client, people: readonly string[]): Promise<string[]> {
    const devices = await client.ask(() => client.sock.getUSyncDevices([...new Set(people)], true, false));
    return [...new Set(devices.map(({ jid }) => jid))];
  }

  /** Forgets the lists of these people, under both of their names: the next message asks for them. */
  async forget({ sock }: Client, people: readonly string[]): Promise<void> {
    for (let start = 0; start < people.length; start += atOnce) {
      const users = await otherNames(sock.authState.keys, people.slice(start, start + atOnce));
      for (const user of users) await this.cache.del(user);
    }
  }

  /** Forgets the list of a user that lacks this device (JID): it was not announced. */
  async expect(jid: string): Promise<void> {
    const { user = "", device = 0 } = jidDecode(jid) ?? {};
    if (this.known(user)?.every((one) => (one.device ?? 0) !== device) === true) await this.cache.del(user);
  }

  /** True when the server gave this hash for the chat before, and the platform's own lists did not differ from ours. */
  isUnexplained(chat: string, hash: string): boolean {
    return this.unexplained.get(chat) === hash;
  }

  leaveUnexplained(chat: string, hash: string): void {
    this.unexplained.set(chat, hash);
  }

  async clear(): Promise<void> {
    await this.cache.flushAll();
    this.unexplained.clear();
  }
}

/** The platform repeats a user that it is asked for twice, and the library keeps both copies. */
function eachOnce(devices: readonly Device[]): Device[] {
  return [...new Map(devices.map((device) => [device.device ?? 0, device])).values()];
}

/** The library's own limit of 5 minutes would repeat the look-up of every contact that often. The platform announces changes. */
const devicesMax = 10_000;
const devicesMs = 6 * 3_600_000;
const chatsMax = 500;
const atOnce = 100;
