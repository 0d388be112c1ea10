import { Api } from "telegram";
import bigInt from "big-integer";
import typia from "typia";
import type { Log } from "../../shared/log/logger.js";
import type { SessionMap } from "../session/session-context.js";
import { recentCache } from "../flow/recent-cache.js";
import { contactField } from "../tenant/pace/session-pace.js";
import { correspondentsIn } from "./updates/correspondents-in.js";
import { channelMark, chatMark, splitMarkedId } from "./chats/chat-reference.js";

/** What the platform asks for to name a user or chat again: without the access hash an id is of no use. */
export interface Peer {
  /** Marked id. */
  readonly id: string;
  /** Signed decimal; "0" for basic groups, which have none. */
  readonly accessHash: string;
}

/** `peer` is `undefined` when nobody has the name. */
export interface Named {
  readonly peer: Peer | undefined;
}

/**
 * Users and chats that the account has met: recent ones in memory, all of them in the session's map in Redis, written behind.
 * What GramJS does itself (a Set that only grows, one row per update) must never run in production.
 */
export class PeerStore {
  private readonly recent = recentCache<string>(recentMax);
  private readonly pending = new Map<string, string>();
  private flushing: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly map: SessionMap,
    private readonly log: Log,
    /** Whether to remember with whom messages are exchanged. */
    private readonly remembersMet: () => boolean = () => false,
  ) {}

  /** Remembers the users and chats inside a result or an update. Synchronous, no I/O. */
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

  /** `undefined` when the account has not met it yet. */
  async find(id: string): Promise<Peer | undefined> {
    const { kind } = splitMarkedId(id);
    if (kind === "chat") return { id, accessHash: "0" };
    const accessHash = this.recent.get(id) ?? this.pending.get(id) ?? (await this.map.get(id));
    if (accessHash === undefined || !isAccessHash(accessHash)) return undefined;
    this.recent.set(id, accessHash);
    return { id, accessHash };
  }

  /** Whether a message of a private chat with this person was seen, as far as that is remembered. */
  async hasMet(id: string): Promise<boolean> {
    const name = contactField(id);
    return (this.recent.get(name) ?? this.pending.get(name) ?? (await this.map.get(name))) !== undefined;
  }

  /** Whom a looked-up name stands for; `undefined` when it must be looked up (again). Names are `@username` and `+<fingerprint of a phone number>`. */
  async named(name: string): Promise<Named | undefined> {
    const value = this.recent.get(name) ?? this.pending.get(name) ?? (await this.map.get(name));
    const [id = "", at = "0"] = value?.split(" ") ?? [];
    const ageMs = Date.now() - Number(at);
    if (value === undefined || ageMs > (id === nobody ? nobodyMs : nameMs)) return undefined;
    if (id === nobody) return { peer: undefined };
    this.recent.set(name, value);
    const peer = await this.find(id);
    return peer && { peer };
  }

  /** What a lookup of the name came to; that nobody has it is not stored, as that may change any moment. */
  nameFor(name: string, id: string | undefined): void {
    const value = `${id ?? nobody} ${Date.now()}`;
    if (id === undefined) this.recent.set(name, value);
    else this.remember(name, value);
  }

  /** Everything goes: the next login may be another account. */
  async clear(): Promise<void> {
    this.forgetPending();
    this.recent.clear();
    await this.flushing;
    await this.map.clear();
  }

  /** Writes what waits, once; never rejects. */
  async stop(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.flushing;
    await this.flush();
    this.forgetPending();
  }

  private learnEntity(entity: unknown): void {
    if ((entity instanceof Api.User || entity instanceof Api.Channel || entity instanceof Api.ChannelForbidden) && entity.accessHash) {
      // A `min` object carries a hash that is good for nothing but its photo.
      if ("min" in entity && entity.min) return;
      const id = entity instanceof Api.User ? entity.id.toString() : channelMark(entity.id);
      this.remember(id, entity.accessHash.toString());
      if (!(entity instanceof Api.ChannelForbidden)) this.followNames(entity, id);
    } else if (entity instanceof Api.Chat) {
      this.remember(chatMark(entity.id), "0");
    }
  }

  /** A username that somebody was looked up by has moved to somebody else. */
  private followNames({ username, usernames }: Api.User | Api.Channel, id: string): void {
    const active = usernames?.flatMap((one) => (one.active === true ? [one.username] : [])) ?? [];
    // The library writes null for what the platform left out.
    for (const name of username ? [username, ...active] : active) {
      const known = this.recent.get(usernameKey(name));
      if (known !== undefined && !known.startsWith(`${id} `)) this.nameFor(usernameKey(name), id);
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
        // Met again, they are learned again; meanwhile they are in memory.
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

/** As the platform's methods want it. */
export function toInputPeer({ id, accessHash }: Peer): Api.InputPeerUser | Api.InputPeerChat | Api.InputPeerChannel {
  const { kind, bareId } = splitMarkedId(id);
  if (kind === "user") return new Api.InputPeerUser({ userId: bigInt(bareId), accessHash: bigInt(accessHash) });
  if (kind === "chat") return new Api.InputPeerChat({ chatId: bigInt(bareId) });
  return new Api.InputPeerChannel({ channelId: bigInt(bareId), accessHash: bigInt(accessHash) });
}

export function toInputChannel({ id, accessHash }: Peer): Api.InputChannel {
  return new Api.InputChannel({ channelId: bigInt(splitMarkedId(id).bareId), accessHash: bigInt(accessHash) });
}

/** Under which a username is remembered. */
export const usernameKey = (username: string): string => `@${username.toLowerCase()}`;

const recentMax = 2_000;
/** Names change hands: the platform's own clients believe one for up to three days. */
const nameMs = 24 * 3_600_000;
const nobodyMs = 5 * 60_000;
const nobody = "-";
// Two full member lists; past that, what is not stored is learned again when met again.
const pendingMax = 20_000;
const batchMax = 500;
const flushMs = 500;

type AccessHash = string & typia.tags.Pattern<"^-?[0-9]{1,20}$">;
const isAccessHash = typia.createIs<AccessHash>();
