import { Api } from "telegram";
import bigInt from "big-integer";
import type { Person } from "../../../shared/contract/telegram/webhook-body.js";
import { recentCache } from "../../flow/recent-cache.js";
import type { Client } from "../client.js";
import { toPerson } from "../convert.js";
import { errorName } from "../errors.js";
import { CallTimeout } from "../network/connection-error.js";
import type { PeerStore } from "../peers.js";

/** Cache of the names and photos of people in the account's private chats. */
export class People {
  /** Room for 500 conversations; people who are evicted are fetched again. */
  private readonly cache = recentCache<Person>(500);

  constructor(
    private readonly peers: PeerStore,
    private readonly profileLink: (userId: string, photoId: string) => string,
  ) {}

  learn(users: readonly Api.TypeUser[]): void {
    // A `min` object omits fields that its packet does not need.
    for (const user of users)
      if (user instanceof Api.User && user.min !== true) this.cache.set(user.id.toString(), toPerson(user, this.profileLink));
  }

  /** Drops a person whose name or number changed, so that the next use fetches it. */
  forget(id: string): void {
    this.cache.delete(id);
  }

  clear(): void {
    this.cache.clear();
  }

  /** Returns true when the account can name the person in a call. */
  async canName(id: string): Promise<boolean> {
    return this.cache.has(id) || (await this.peers.find(id)) !== undefined;
  }

  /** Returns all people of `ids`, with one call per 100 unknown ones. People who cannot be read have only an id. */
  async describe(client: Client, ids: ReadonlySet<string>, signal: AbortSignal): Promise<ReadonlyMap<string, Person>> {
    const unknown = [...ids].filter((id) => !this.cache.has(id));
    for (let at = 0; at < unknown.length; at += fetchedAtOnce) await this.fetch(client, unknown.slice(at, at + fetchedAtOnce), signal);
    return new Map([...ids].map((id) => [id, this.cache.get(id) ?? unknownPerson(id)]));
  }

  private async fetch(client: Client, ids: readonly string[], signal: AbortSignal): Promise<void> {
    const peers = (await Promise.all(ids.map((id) => this.peers.find(id)))).filter((peer) => peer !== undefined);
    if (peers.length === 0) return;
    const request = new Api.users.GetUsers({
      id: peers.map(({ id, accessHash }) => new Api.InputUser({ userId: bigInt(id), accessHash: bigInt(accessHash) })),
    });
    try {
      this.learn(await client.invoke(request, { signal, deadlineMs: fetchMs, waitOutFloods: false }));
    } catch (error) {
      // A missing name must not delay an event. A lost connection stops the step, because the next connection reads the event again.
      if (errorName(error) === undefined && !(error instanceof CallTimeout)) throw error;
    }
  }
}

const fetchedAtOnce = 100;
const fetchMs = 5_000;

/** Returns a person with an id and no other known values. */
export function unknownPerson(id: string): Person {
  return { id, name: "", username: "", phone: "", thumbnail: "" };
}
