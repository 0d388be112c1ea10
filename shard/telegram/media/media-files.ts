import { Api } from "telegram";
import bigInt from "big-integer";
import type { Ending } from "../../../shared/flow/ending.js";
import { RecentCache } from "../../flow/recent-cache.js";
import { mediaNotFound } from "../../../shared/contract/telegram/errors.js";
import type { MediaAddress } from "../../../shared/contract/media.js";
import { type DeletedMessages, sequenceOf } from "../../../shared/media/message-media.js";
import { splitMarkedId } from "../chats/chat-reference.js";
import type { ChatDirectory } from "../chats/chat-directory.js";
import type { Client } from "../client.js";
import { errorName } from "../errors.js";
import { type Peer, toInputChannel, toInputPeer } from "../peers.js";
import { smallPhotoLocation } from "./pictures.js";
import { readPart } from "./read-part.js";
import { fileOfMessage, type MediaFile, profileFile } from "./media-file.js";

/** Finds the file behind a link with one message fetch, and caches it, because each of its chunks needs it again. */
export class MediaFiles {
  private readonly files = new RecentCache<FoundFile>({
    ttl: 3_600_000,
    maxSize: 500 * weightBytes,
    sizeCalculation: ({ file }) => weightBytes + (file.bytes?.length ?? 0),
  });

  constructor(private readonly chats: ChatDirectory) {}

  clear(): void {
    this.files.clear();
  }

  /** Removes the files of deleted messages. */
  forget({ sequence, ids }: DeletedMessages): void {
    const gone = new Set(ids);
    for (const [key, { address }] of this.files.entries())
      if (gone.has(address.messageId) && sequenceOf(address) === sequence) this.files.delete(key);
  }

  /** Throws `media not found` when the message is gone or has no such file. `fresh` skips the cache. */
  async find(client: Client, address: MediaAddress, signal: Ending, fresh = false): Promise<MediaFile> {
    const key = `${address.chatId}:${address.messageId}:${address.variant}`;
    const cached = fresh ? undefined : this.files.get(key);
    if (cached !== undefined) return cached.file;
    const file =
      address.variant === "profile" ? await this.profile(client, address, signal) : await this.ofMessage(client, address, signal);
    this.files.set(key, { address, file });
    return file;
  }

  private async ofMessage(client: Client, { chatId, messageId, variant }: MediaAddress, signal: Ending): Promise<MediaFile> {
    const id = Number(messageId);
    if (!Number.isInteger(id) || id < 1 || id > maxMessageId) throw mediaNotFound();
    const peer = await this.peer(client, chatId, signal);
    const message = await readMessage(client, peer, id, signal);
    const file = message === undefined ? undefined : fileOfMessage(message, variant);
    if (file === undefined) throw mediaNotFound();
    return file;
  }

  /** A new profile photo gets a new link, so the link's photo must still be the current one. */
  private async profile(client: Client, { chatId, messageId }: MediaAddress, signal: Ending): Promise<MediaFile> {
    const peer = await this.peer(client, chatId, signal);
    const photo = await this.profilePhoto(client, peer, signal);
    if (photo === undefined || photo.photoId.toString() !== messageId) throw mediaNotFound();
    const location = smallPhotoLocation(toInputPeer(peer), photo.photoId);
    const { bytes, dcId } = await readPart(client, { dcId: photo.dcId, location }, 0, signal);
    return profileFile(messageId, dcId, bytes);
  }

  private async profilePhoto(client: Client, peer: Peer, signal: Ending): Promise<Api.UserProfilePhoto | Api.ChatPhoto | undefined> {
    if (splitMarkedId(peer.id).kind !== "user") {
      const chat = await this.chats.read(client, peer, signal);
      return chat !== undefined && "photo" in chat && chat.photo instanceof Api.ChatPhoto ? chat.photo : undefined;
    }
    const id = new Api.InputUser({ userId: bigInt(peer.id), accessHash: bigInt(peer.accessHash) });
    const [user] = await client.invoke(new Api.users.GetUsers({ id: [id] }), { signal, waitOutFloods: false });
    return user instanceof Api.User && user.photo instanceof Api.UserProfilePhoto ? user.photo : undefined;
  }

  private async peer(client: Client, chatId: string, signal: Ending): Promise<Peer> {
    const peer = markedId.test(chatId) ? await this.chats.findOrRefresh(client, chatId, signal) : undefined;
    if (peer === undefined) throw mediaNotFound();
    return peer;
  }
}

interface FoundFile {
  readonly address: MediaAddress;
  readonly file: MediaFile;
}

/** 500 files at most, fewer when small pictures come with them. Bounded by size for the reason given at `recentCache`. */
const weightBytes = 32 * 1024;

const markedId = /^-?[1-9]\d{0,15}$/;
const maxMessageId = 2 ** 31 - 1;
const goneNames = new Set([
  "CHANNEL_PRIVATE",
  "CHANNEL_INVALID",
  "MESSAGE_ID_INVALID",
  "MSG_ID_INVALID",
  "PEER_ID_INVALID",
  "MESSAGE_IDS_EMPTY",
]);

/** Returns `undefined` when the message was deleted or belongs to another chat. */
async function readMessage(client: Client, peer: Peer, id: number, signal: Ending): Promise<Api.Message | undefined> {
  const { kind, bareId } = splitMarkedId(peer.id);
  const ids = [new Api.InputMessageID({ id })];
  const request =
    kind === "channel"
      ? new Api.channels.GetMessages({ channel: toInputChannel(peer), id: ids })
      : new Api.messages.GetMessages({ id: ids });
  try {
    const response = await client.invoke(request, { signal, waitOutFloods: false });
    if (response instanceof Api.messages.MessagesNotModified) return undefined;
    const message = response.messages.find((one): one is Api.Message => one instanceof Api.Message && one.id === id);
    // Private chats and basic groups share one sequence of ids, so the message may be in another chat.
    return message !== undefined && bareIdOf(message.peerId) === bareId ? message : undefined;
  } catch (error) {
    if (goneNames.has(errorName(error) ?? "")) return undefined;
    throw error;
  }
}

function bareIdOf(peer: Api.TypePeer): string {
  if (peer instanceof Api.PeerUser) return peer.userId.toString();
  return (peer instanceof Api.PeerChat ? peer.chatId : peer.channelId).toString();
}
