import { Api } from "telegram";
import { chatNotFound, channelNotFound, groupNotFound } from "../../../shared/contract/telegram/errors.js";
import { splitMarkedId } from "../chats/chat-reference.js";
import { type Client } from "../client.js";
import { isJoinedChannel, isJoinedGroup } from "../convert.js";
import { type TelegramSession } from "../session.js";

/** A channel that the account follows. Throws `invalid chat`, `chat not found` for what nobody is named, `channel not found` for anything else. */
export async function findChannel(session: TelegramSession, client: Client, text: string, signal: AbortSignal): Promise<Api.Channel> {
  const peer = await session.chats.resolve(client, text, signal);
  if (peer === undefined) throw chatNotFound();
  const chat = await session.chats.read(client, peer, signal);
  // Basic groups need no access hash, so only the platform knows whether there is one of this id.
  if (splitMarkedId(peer.id).kind === "chat" && (chat === undefined || chat instanceof Api.ChatEmpty)) throw chatNotFound();
  if (chat === undefined || !isJoinedChannel(chat)) throw channelNotFound();
  return chat;
}

/** A group that the account is in. Throws `invalid chat`, or `group not found`: the document names no other error for a group. */
export async function findGroup(session: TelegramSession, client: Client, text: string, signal: AbortSignal): Promise<Api.Chat | Api.Channel> {
  const peer = await session.chats.resolve(client, text, signal);
  const chat = peer === undefined ? undefined : await session.chats.read(client, peer, signal);
  if (chat === undefined || !isJoinedGroup(chat)) throw groupNotFound();
  return chat;
}
