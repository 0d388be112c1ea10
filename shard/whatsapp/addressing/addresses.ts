import { recentCache } from "../../flow/recent-cache.js";
import type { Client } from "../client.js";
import { phoneOf, userJid, userOf } from "../jid.js";

/** Converts people to the addresses that stanzas need: anonymous ids on migrated accounts, otherwise the given JIDs. */
export class Addresses {
  /** Numbers that the platform has recently reported as not registered. */
  private readonly unregistered = recentCache<object>(numbersMax, numbersMs);

  /** Returns the address of one chat with a person. */
  async one(client: Client, chat: string): Promise<string> {
    if (phoneOf(chat) === "" || !client.lidMigrated) return chat;
    return (await this.lids(client, [chat])).get(chat) ?? chat;
  }

  /** Returns each person once. On a migrated account, people without an anonymous id are omitted: they are not on the platform. */
  async all(client: Client, people: readonly string[]): Promise<string[]> {
    if (!client.lidMigrated) return await this.eachOnce(client, people);
    const lids = await this.learn(client, people);
    return [...new Set(people.flatMap((jid) => (phoneOf(jid) === "" ? jid : (lids.get(jid) ?? []))))];
  }

  /**
   * Returns the anonymous ids of these people by number. Queries the platform for unknown numbers, except those recently reported as
   * unregistered.
   */
  learn(client: Client, people: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.lids(
      client,
      people.filter((jid) => !this.unregistered.has(jid)),
    );
  }

  /** Returns the anonymous ids by number. Queries the platform for unknown numbers, a hundred at a time. */
  private async lids(client: Client, people: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { me, sock } = client;
    const found = new Map<string, string>();
    const numbers: string[] = [];
    for (const jid of people) {
      if (phoneOf(jid) === "") continue;
      if (userOf(jid) === userOf(me.id)) found.set(jid, userJid(me.lid));
      else numbers.push(jid);
    }
    for (let start = 0; start < numbers.length; start += atOnce) {
      const some = numbers.slice(start, start + atOnce);
      const pairs = (await client.runQuery(() => sock.signalRepository.lidMapping.getLIDsForPNs(some))) ?? [];
      for (const { pn, lid } of pairs) found.set(userJid(pn), userJid(lid));
      for (const jid of some) if (!found.has(jid)) this.unregistered.set(jid, mark);
    }
    return found;
  }

  /** Removes the anonymous id of a person who is also listed by number. Sends no request. */
  private async eachOnce({ sock }: Client, people: readonly string[]): Promise<string[]> {
    const anonymous = people.filter((jid) => phoneOf(jid) === "");
    const pairs = anonymous.length === 0 ? [] : ((await sock.signalRepository.lidMapping.getPNsForLIDs(anonymous)) ?? []);
    const numbers = new Map(pairs.map(({ lid, pn }) => [userJid(lid), userJid(pn)]));
    const listed = new Set(people);
    return [...listed].filter((jid) => !listed.has(numbers.get(jid) ?? ""));
  }
}

const atOnce = 100;
const numbersMax = 5_000;
const numbersMs = 3_600_000;
/** A placeholder value: only the key matters. */
const mark = {};
