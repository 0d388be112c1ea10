import { Api } from "telegram";
import bigInt from "big-integer";
import type { Ending } from "../../../shared/flow/ending.js";
import { type ChatReference, parseChatReference } from "../../../shared/contract/telegram/chat-reference.js";
import { invalidChat } from "../../../shared/contract/telegram/errors.js";
import { descriptionCacheMs, listTimeoutMs } from "../../../shared/limits.js";
import { untilAborted } from "../../../shared/flow/abort-scope.js";
import { channelMark, chatMark, splitMarkedId } from "./chat-reference.js";
import { recentCache } from "../../flow/recent-cache.js";
import type { Client } from "../client.js";
import type { Lookup } from "../client-options.js";
import { isJoinedChannel, isJoinedGroup } from "../convert.js";
import { listDialogChats } from "./dialogs.js";
import { errorName } from "../errors.js";
import { type Peer, type PeerStore, toInputChannel, usernameKey } from "../peers.js";

export type JoinedKind = "group" | "channel";

/** Details of a group that the list of chats lacks. `joinedAt` is in Unix seconds. */
export interface GroupDetails {
  readonly description: string;
  readonly joinedAt: number;
}

interface Refresh {
  readonly done: Promise<unknown>;
  readonly signal: Ending;
}

/**
 * Finds groups and channels by the names that callers use, and caches results that cost a call each. Chat objects are always fetched anew.
 */
export class ChatDirectory {
  /** Groups and channels that the account is known to be in, by marked id. */
  private readonly joined = recentCache<JoinedKind>(2_000, joinedMs);
  private readonly details = recentCache<GroupDetails>(2_000, descriptionCacheMs);
  private refreshedAt = -Infinity;
  /** The current read of the list of chats, and the signal of the command that began it. */
  private refreshing: Refresh | undefined;

  constructor(private readonly peers: PeerStore) {}

  clear(): void {
    this.joined.clear();
    this.details.clear();
    this.refreshedAt = -Infinity;
    this.refreshing = undefined;
  }

  /**
   * Returns the peer of an id, username or short link; `undefined` when the name is free or the account does not know the id. Throws
   * `invalid chat`.
   */
  async resolve(client: Client, text: string, signal: Ending): Promise<Peer | undefined> {
    return this.find(client, parseChatReference(text), signal);
  }

  /** Does the same as `resolve` for a parsed reference. */
  async find(client: Client, reference: ChatReference, signal: Ending): Promise<Peer | undefined> {
    if (reference.kind === "id") return this.findOrRefresh(client, reference.id, signal);
    const cached = await this.peers.named(usernameKey(reference.username));
    return cached === undefined ? this.resolveUsername(client, reference.username, signal) : cached.peer;
  }

  /** Returns a peer by its marked id. If the id is unknown, reads the account's list of chats, at most twice a minute. */
  async findOrRefresh(client: Client, id: string, signal: Ending): Promise<Peer | undefined> {
    for (;;) {
      const found = await this.peers.find(id);
      if (found !== undefined || performance.now() - this.refreshedAt < refreshPauseMs) return found;
      await this.refresh(client, signal);
    }
  }

  /** Reads the list of chats once for all callers. A caller that waits for another's read continues when that read is aborted. */
  private async refresh(client: Client, signal: Ending): Promise<void> {
    const { refreshing } = this;
    if (refreshing === undefined) return this.readChats(client, signal);
    try {
      await untilAborted(refreshing.done, signal);
    } catch (error) {
      if (signal.aborted || !refreshing.signal.aborted) throw error;
    }
  }

  private async readChats(client: Client, signal: Ending): Promise<void> {
    const refreshing: Refresh = { done: listDialogChats(client, signal), signal };
    this.refreshing = refreshing;
    try {
      await refreshing.done;
      // The account may have changed since the read began.
      if (this.refreshing === refreshing) this.refreshedAt = performance.now();
    } finally {
      if (this.refreshing === refreshing) this.refreshing = undefined;
    }
  }

  /** Returns a person by id who is in no list of chats: the platform finds people of the address book without an access hash. */
  async contact(client: Client, id: string, lookup: Lookup): Promise<Peer | undefined> {
    try {
      await client.invoke(new Api.users.GetUsers({ id: [new Api.InputUser({ userId: bigInt(id), accessHash: bigInt.zero })] }), lookup);
    } catch (error) {
      if (!unseenNames.has(errorName(error) ?? "")) throw error;
    }
    return this.peers.find(id);
  }

  /**
   * Returns the kind of chat that the account is in. `undefined`: not a member, or a person; `nothing`: no such chat. Cached for 5
   * minutes, so call `left` when a chat refuses a send.
   */
  async joinedKind(client: Client, peer: Peer, signal: Ending): Promise<JoinedKind | "nothing" | undefined> {
    const cached = this.joined.get(peer.id);
    if (cached !== undefined) return cached;
    const chat = await this.read(client, peer, signal);
    // Basic groups need no access hash, so only the platform knows whether one has this id.
    if (splitMarkedId(peer.id).kind === "chat" && (chat === undefined || chat instanceof Api.ChatEmpty)) return "nothing";
    const kind = chat === undefined ? undefined : isJoinedGroup(chat) ? "group" : isJoinedChannel(chat) ? "channel" : undefined;
    if (kind !== undefined) this.joined.set(peer.id, kind);
    return kind;
  }

  left(id: string): void {
    this.joined.delete(id);
  }

  /** Call it when a group was changed, so that the next record shows its new description. */
  changed(id: string): void {
    this.details.delete(id);
  }

  /** Returns the current chat; `undefined` for a person, and for a chat that the account may not see. */
  async read(client: Client, peer: Peer, signal: Ending): Promise<Api.TypeChat | undefined> {
    const { kind, bareId } = splitMarkedId(peer.id);
    if (kind === "user") return undefined;
    try {
      const request =
        kind === "channel"
          ? new Api.channels.GetChannels({ id: [toInputChannel(peer)] })
          : new Api.messages.GetChats({ id: [bigInt(bareId)] });
      const response = await client.invoke(request, { signal, deadlineMs: listTimeoutMs });
      return response.chats.find((chat) => chat.id.toString() === bareId);
    } catch (error) {
      if (unseenNames.has(errorName(error) ?? "")) return undefined;
      throw error;
    }
  }

  /** Returns description and join date, cached for 5 minutes (variant B, "Group record"). */
  async groupDetails(client: Client, chat: Api.Chat | Api.Channel, signal: Ending): Promise<GroupDetails> {
    const id = chat instanceof Api.Chat ? chatMark(chat.id) : channelMark(chat.id);
    const cached = this.details.get(id);
    if (cached !== undefined) return cached;
    const details = await readDetails(client, chat, signal);
    this.details.set(id, details);
    return details;
  }

  private async resolveUsername(client: Client, username: string, signal: Ending): Promise<Peer | undefined> {
    try {
      const { peer } = await client.invoke(new Api.contacts.ResolveUsername({ username }), { signal, deadlineMs: listTimeoutMs });
      const id =
        peer instanceof Api.PeerUser
          ? peer.userId.toString()
          : peer instanceof Api.PeerChat
            ? chatMark(peer.chatId)
            : channelMark(peer.channelId);
      this.peers.nameFor(usernameKey(username), id);
      return await this.peers.find(id);
    } catch (error) {
      const name = errorName(error);
      if (name === "USERNAME_NOT_OCCUPIED") {
        this.peers.nameFor(usernameKey(username), undefined);
        return undefined;
      }
      if (name === "USERNAME_INVALID") throw invalidChat();
      throw error;
    }
  }
}

const refreshPauseMs = 30_000;
const joinedMs = 5 * 60_000;

/** Errors for a chat or person that this account cannot see, or that no longer exists. */
export const unseenNames: ReadonlySet<string> = new Set([
  "CHANNEL_PRIVATE",
  "CHANNEL_INVALID",
  "CHAT_ID_INVALID",
  "PEER_ID_INVALID",
  "USER_ID_INVALID",
  "CHAT_FORBIDDEN",
  "CHAT_INVALID",
]);

async function readDetails(client: Client, chat: Api.Chat | Api.Channel, signal: Ending): Promise<GroupDetails> {
  try {
    const request =
      chat instanceof Api.Chat
        ? new Api.messages.GetFullChat({ chatId: chat.id })
        : new Api.channels.GetFullChannel({
            channel: new Api.InputChannel({ channelId: chat.id, accessHash: chat.accessHash ?? bigInt.zero }),
          });
    const full = await client.invoke(request, { signal, deadlineMs: listTimeoutMs });
    return { description: full.fullChat.about ?? "", joinedAt: (chat instanceof Api.Chat ? ownJoinDate(full) : undefined) ?? chat.date };
  } catch (error) {
    // The account left between the list and this call, so the group will disappear from the list.
    if (unseenNames.has(errorName(error) ?? "")) return { description: "", joinedAt: chat.date };
    throw error;
  }
}

/** `chat.date` of a basic group is its creation. The account's own member entry has the join date, except for the creator's. */
function ownJoinDate({ fullChat, users }: Api.messages.ChatFull): number | undefined {
  if (!(fullChat instanceof Api.ChatFull) || !(fullChat.participants instanceof Api.ChatParticipants)) return undefined;
  const self = users.find((user): user is Api.User => user instanceof Api.User && user.self === true);
  const own = self && fullChat.participants.participants.find((participant) => participant.userId.equals(self.id));
  return own === undefined || own instanceof Api.ChatParticipantCreator ? undefined : own.date;
}
