import { Api } from "telegram";
import bigInt from "big-integer";
import type { Ending } from "../../../shared/flow/ending.js";
import type { Person } from "../../../shared/contract/telegram/webhook-body.js";
import { recentCache } from "../../flow/recent-cache.js";
import type { Client } from "../client.js";
import { splitMarkedId } from "../chats/chat-reference.js";
import { markOf, toChatPerson, toPerson } from "../convert.js";
import { errorName } from "../errors.js";
import { CallTimeout } from "../network/connection-error.js";
import { type PeerStore, toInputChannel } from "../peers.js";

/** Cache of the names of people, groups and channels, and of people's photos, by marked id. */
export class People {
  /** Room for 500 conversations; entries that are evicted are fetched again. */
  private readonly cache = recentCache<Person>(500);
  /** People of groups, whose objects omit fields: used while nothing else is known. */
  private readonly partial = recentCache<Person>(500);
  private readonly kinds = recentCache<"channel" | "supergroup">(1_000);

  constructor(
    private readonly peers: PeerStore,
    private readonly profileLink: (userId: string, photoId: string) => string,
  ) {}

  learn(users: readonly Api.TypeUser[], chats: readonly Api.TypeChat[] = []): void {
    for (const user of users) {
      if (!(user instanceof Api.User)) continue;
      // A `min` object omits fields that its packet does not need.
      if (user.min === true) this.partial.set(user.id.toString(), { ...toPerson(user, this.profileLink), phone: "", thumbnail: "" });
      else this.cache.set(user.id.toString(), toPerson(user, this.profileLink));
    }
    for (const chat of chats) {
      if (!(chat instanceof Api.Chat || chat instanceof Api.Channel)) continue;
      this.cache.set(markOf(chat), toChatPerson(chat));
      if (chat instanceof Api.Channel) this.kinds.set(markOf(chat), chat.broadcast === true ? "channel" : "supergroup");
    }
  }

  /** Returns whether the id is a channel's, as far as known; false for groups. */
  isBroadcast(id: string): boolean {
    return this.kinds.get(id) === "channel";
  }

  /** Drops a person, group or channel whose name or number changed, so that the next use fetches it. */
  forget(id: string): void {
    this.cache.delete(id);
  }

  clear(): void {
    this.cache.clear();
    this.partial.clear();
    this.kinds.clear();
  }

  /** Returns true when the account can name the person in a call. */
  async canName(id: string): Promise<boolean> {
    return this.cache.has(id) || (await this.peers.find(id)) !== undefined;
  }

  /** Returns all entries of `ids`, with one call per kind and 100 unknown ones. What cannot be read has only an id. */
  async describe(client: Client, ids: ReadonlySet<string>, signal: Ending): Promise<ReadonlyMap<string, Person>> {
    const unknown = [...ids].filter((id) => !this.cache.has(id));
    for (const kind of ["user", "chat", "channel"] as const) {
      const same = unknown.filter((id) => splitMarkedId(id).kind === kind);
      for (let at = 0; at < same.length; at += fetchedAtOnce) await this.fetch(client, kind, same.slice(at, at + fetchedAtOnce), signal);
    }
    return new Map([...ids].map((id) => [id, this.cache.get(id) ?? this.partial.get(id) ?? unknownPerson(id)]));
  }

  private async fetch(client: Client, kind: "user" | "chat" | "channel", ids: readonly string[], signal: Ending): Promise<void> {
    const peers = (await Promise.all(ids.map((id) => this.peers.find(id)))).filter((peer) => peer !== undefined);
    if (peers.length === 0) return;
    const options = { signal, deadlineMs: fetchMs, waitOutFloods: false };
    try {
      if (kind === "user") {
        const id = peers.map((peer) => new Api.InputUser({ userId: bigInt(peer.id), accessHash: bigInt(peer.accessHash) }));
        this.learn(await client.invoke(new Api.users.GetUsers({ id }), options));
        return;
      }
      const request =
        kind === "chat"
          ? new Api.messages.GetChats({ id: peers.map(({ id }) => bigInt(splitMarkedId(id).bareId)) })
          : new Api.channels.GetChannels({ id: peers.map(toInputChannel) });
      this.learn([], (await client.invoke(request, options)).chats);
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
