import { jidDecode } from "@whiskeysockets/baileys";
import { recentCache } from "../../flow/recent-cache.js";
import type { Client } from "../client.js";
import { type Device, jidOf } from "../group/keyed-groups.js";
import { cacheStore, type ReadableCache } from "../network/cache-store.js";
import { otherNames } from "../other-names.js";

/** Remembers the devices of people. The library reads and fills `cache`; `onChange` is called with the user whose list changed. */
export class DeviceLists {
  readonly cache: ReadableCache;
  /** By chat: the server's hash that still differs from ours after the device lists were read again. */
  private readonly unexplained = recentCache<string>(chatsMax);

  constructor(onChange: (user: string) => void) {
    const store = cacheStore(devicesMax, devicesMs, onChange);
    this.cache = { ...store, set: (user, list) => store.set(user, Array.isArray(list) ? eachOnce(list as Device[]) : list) };
  }

  /** Returns the remembered devices of a user (digits). */
  cached(user: string): readonly Device[] | undefined {
    return this.cache.get<readonly Device[]>(user);
  }

  /** Returns the devices (JIDs) of these people, each once. One platform query covers all people who are not remembered. */
  async of(client: Client, people: readonly string[]): Promise<string[]> {
    const remembered = this.remembered(people);
    if (remembered !== undefined) return remembered;
    const devices = await client.runQuery(() => client.sock.getUSyncDevices([...new Set(people)], true, false));
    return [...new Set(devices.map(({ jid }) => jid))];
  }

  /** Returns the devices (JIDs) of these people if all are remembered, as the library does. */
  private remembered(people: readonly string[]): string[] | undefined {
    const devices = new Set<string>();
    for (const jid of people) {
      const { user = "", device } = jidDecode(jid) ?? {};
      const list = device === undefined ? this.cached(user) : undefined;
      if (list === undefined) return undefined;
      for (const one of list) devices.add(jidOf(one));
    }
    return [...devices];
  }

  /** Removes the lists of these people, under both of their JIDs. The next message reads them from the platform. */
  async forget({ sock }: Client, people: readonly string[]): Promise<void> {
    for (let start = 0; start < people.length; start += atOnce) {
      const users = await otherNames(sock.authState.keys, people.slice(start, start + atOnce));
      for (const user of users) await this.cache.del(user);
    }
  }

  /** Removes the list of a user that lacks this device (JID): the platform did not announce the device. */
  async expect(jid: string): Promise<void> {
    const { user = "", device = 0 } = jidDecode(jid) ?? {};
    if (this.cached(user)?.every((one) => (one.device ?? 0) !== device) === true) await this.cache.del(user);
  }

  /** True when the server sent this hash for the chat before, and the platform's own lists did not differ from ours. */
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

/** If a query names a user twice, the platform returns the user twice, and the library keeps both copies. */
function eachOnce(devices: readonly Device[]): Device[] {
  return [...new Map(devices.map((device) => [device.device ?? 0, device])).values()];
}

/** The library's own limit of 5 minutes would repeat every contact's query that often. The platform announces changes. */
const devicesMax = 10_000;
const devicesMs = 6 * 3_600_000;
const chatsMax = 500;
const atOnce = 100;
