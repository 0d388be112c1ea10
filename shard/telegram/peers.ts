import { Api } from "telegram";
import bigInt from "big-integer";
import typia from "typia";
import type { Log } from "../../shared/log/logger.js";
import type { SessionMap } from "../session/session-context.js";
import { recentCache } from "../flow/recent-cache.js";
import { contactField } from "../tenant/pace/session-pace.js";
import { correspondentsIn } from "./updates/correspondents-in.js";
import { channelMark, chatMark, splitMarkedId } from "./chats/chat-reference.js";

/** The reference to a user or chat that the platform requires. An id without its access hash cannot be used. */
export interface Peer {
  /** The marked id. */
  readonly id: string;
  /** Signed decimal; "0" for basic groups, which have no access hash. */
  readonly accessHash: string;
}

/** `peer` is `undefined` when the name is free. */
export interface Named {
  readonly peer: Peer | undefined;
}

/**
 * Access hashes of users and chats that the account has met: recent ones in memory, all of them in a Redis map, written in batches.
 * Replaces GramJS's own store, which grows without a limit and writes a row per update.
 */
export class PeerStore {
  private readonly recent = recentCache<string>(recentMax);
  private readonly pending = new Map<string, string>();
  private flushing: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly map: SessionMap,
    private readonly log: Log,
    /** Returns true when people with private chats should be remembered. */
    private readonly remembersMet: () => boolean = () => false,
  ) {}

  /** Stores the users and chats in a result or an update in memory. Synchronous, no I/O. */
  learn(object: unknown): void {
    if (Array.isArray(object)) {
      for (const entity of object) this.learnEntity(entity);
      return;
    }
    if (typeof object !== "object" || object === null) return;
    if ("users" in object && Array.isArray(object.users)) for (const user of object.users) this.learnEntity(user);
    if ("chats" in object && Array.isArray(object.chats)) for (const chat of object.chats) this.learnEntity(chat);
    if ("user" in object) this.learnEntity(object.user);
    if (this.remembersMet()) for (const id of correspondentsIn(object)) this.remember(contactField(id), "1");
  }

  /** Returns a peer by its marked id; `undefined` when the account has not met it. */
  async find(id: string): Promise<Peer | undefined> {
    const { kind } = splitMarkedId(id);
    if (kind === "chat") return { id, accessHash: "0" };
    const accessHash = this.recent.get(id) ?? (await this.read(id));
    return accessHash === undefined || !isAccessHash(accessHash) ? undefined : { id, accessHash };
  }

  /** Returns true if a message of a private chat with this person was seen and is still remembered. */
  async hasMet(id: string): Promise<boolean> {
    const name = contactField(id);
    return (this.recent.get(name) ?? (await this.read(name))) !== undefined;
  }

  /**
   * Returns the peer of a name that was resolved before; `undefined` when it must be resolved again. Names are `@username` and
   * `+<fingerprint of a phone number>`.
   */
  async named(name: string): Promise<Named | undefined> {
    const value = this.recent.get(name) ?? (await this.read(name));
    const [id = "", at = "0"] = value?.split(" ") ?? [];
    const ageMs = Date.now() - Number(at);
    if (value === undefined || ageMs > (id === noPeer ? noPeerMs : nameMs)) return undefined;
    if (id === noPeer) return { peer: undefined };
    const peer = await this.find(id);
    return peer && { peer };
  }

  /** Stores the result of resolving a name. That a name is free is kept in memory only, because it may change at any time. */
  nameFor(name: string, id: string | undefined): void {
    const value = `${id ?? noPeer} ${Date.now()}`;
    if (id === undefined) this.recent.set(name, value);
    else this.remember(name, value);
  }

  /** Removes all peers, because the next login may be another account. */
  async clear(): Promise<void> {
    this.forgetPending();
    await this.flushing;
    await this.map.clear();
    // Last, because a running command may have read an entry meanwhile.
    this.recent.clear();
  }

  /** Writes pending entries once; never rejects. */
  async stop(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.flushing;
    await this.flush();
    this.forgetPending();
  }

  /** Reads an entry that is not among the recent ones, and adds it to them. */
  private async read(field: string): Promise<string | undefined> {
    const value = this.pending.get(field) ?? (await this.map.get(field));
    if (value !== undefined) this.recent.set(field, value);
    return value;
  }

  private learnEntity(entity: unknown): void {
    if ((entity instanceof Api.User || entity instanceof Api.Channel || entity instanceof Api.ChannelForbidden) && entity.accessHash) {
      // The access hash of a `min` object only serves to fetch its photo.
      if ("min" in entity && entity.min) return;
      const id = entity instanceof Api.User ? entity.id.toString() : channelMark(entity.id);
      this.remember(id, entity.accessHash.toString());
      if (!(entity instanceof Api.ChannelForbidden)) this.followNames(entity, id);
    } else if (entity instanceof Api.Chat) {
      this.remember(chatMark(entity.id), "0");
    }
  }

  /** Updates cached names when a username has moved to another user or channel. */
  private followNames({ username, usernames }: Api.User | Api.Channel, id: string): void {
    const active = usernames?.flatMap((one) => (one.active === true ? [one.username] : [])) ?? [];
    // The library writes null for fields that the platform left out.
    for (const name of username ? [username, ...active] : active) {
      const cached = this.recent.get(usernameKey(name));
      if (cached !== undefined && !cached.startsWith(`${id} `)) this.nameFor(usernameKey(name), id);
    }
  }

  private remember(field: string, value: string): void {
    if (this.recent.get(field) === value) return;
    this.recent.set(field, value);
    if (this.pending.size >= pendingMax) return;
    this.pending.set(field, value);
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.flushing = this.flush().finally(() => (this.flushing = undefined));
    }, flushMs);
  }

  private async flush(): Promise<void> {
    while (this.pending.size > 0) {
      const batch = new Map([...this.pending].slice(0, batchMax));
      for (const id of batch.keys()) this.pending.delete(id);
      try {
        await this.map.setMany(batch);
      } catch (error) {
        // These peers stay in memory, and are stored when the account meets them again.
        this.log.debug({ err: error, count: batch.size }, "peers not stored");
        return;
      }
    }
  }

  private forgetPending(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.pending.clear();
  }
}

/** Converts a peer into the form that the platform's methods require. */
export function toInputPeer({ id, accessHash }: Peer): Api.InputPeerUser | Api.InputPeerChat | Api.InputPeerChannel {
  const { kind, bareId } = splitMarkedId(id);
  if (kind === "user") return new Api.InputPeerUser({ userId: bigInt(bareId), accessHash: bigInt(accessHash) });
  if (kind === "chat") return new Api.InputPeerChat({ chatId: bigInt(bareId) });
  return new Api.InputPeerChannel({ channelId: bigInt(bareId), accessHash: bigInt(accessHash) });
}

export function toInputUser({ id, accessHash }: Peer): Api.InputUser {
  return new Api.InputUser({ userId: bigInt(id), accessHash: bigInt(accessHash) });
}

export function toInputChannel({ id, accessHash }: Peer): Api.InputChannel {
  return new Api.InputChannel({ channelId: bigInt(splitMarkedId(id).bareId), accessHash: bigInt(accessHash) });
}

/** Returns the key under which a username is stored. */
export const usernameKey = (username: string): string => `@${username.toLowerCase()}`;

const recentMax = 2_000;
/** Usernames change owners: the platform's own clients cache one for up to three days. */
const nameMs = 24 * 3_600_000;
const noPeerMs = 5 * 60_000;
const noPeer = "-";
// Room for two full member lists. Peers beyond that are stored when the account meets them again.
const pendingMax = 20_000;
const batchMax = 500;
const flushMs = 500;

type AccessHash = string & typia.tags.Pattern<"^-?[0-9]{1,20}$">;
const isAccessHash = typia.createIs<AccessHash>();
