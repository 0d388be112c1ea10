import { Api } from "telegram";
import type { Ending } from "../../../shared/flow/ending.js";
import { chatNotFound, channelNotFound } from "../../../shared/contract/telegram/errors.js";
import { splitMarkedId } from "../chats/chat-reference.js";
import type { Client } from "../client.js";
import { isJoinedChannel, isJoinedGroup, missingGroup } from "../convert.js";
import type { TelegramConnector } from "../connector.js";

/** Returns a channel that the account follows. Throws as `findChat` does, and `channel not found` for anything else. */
export async function findChannel(connector: TelegramConnector, client: Client, text: string, signal: Ending): Promise<Api.Channel> {
  const chat = await findChat(connector, client, text, signal);
  if (chat === undefined || !isJoinedChannel(chat)) throw channelNotFound();
  return chat;
}

/** Returns a group that the account is in. Throws as `findChat` does, and `group not found` for anything else. */
export async function findGroup(
  connector: TelegramConnector,
  client: Client,
  text: string,
  signal: Ending,
): Promise<Api.Chat | Api.Channel> {
  const chat = await findChat(connector, client, text, signal);
  if (chat === undefined || !isJoinedGroup(chat)) throw missingGroup(chat);
  return chat;
}

/**
 * Returns `undefined` for a person, and for a chat that the account may not see. Throws `invalid chat`, and `chat not found` for a free
 * name or an unknown id.
 */
async function findChat(connector: TelegramConnector, client: Client, text: string, signal: Ending): Promise<Api.TypeChat | undefined> {
  const peer = await connector.chats.resolve(client, text, signal);
  if (peer === undefined) throw chatNotFound();
  const chat = await connector.chats.read(client, peer, signal);
  // Basic groups need no access hash, so only the platform knows whether one has this id.
  if (splitMarkedId(peer.id).kind === "chat" && (chat === undefined || chat instanceof Api.ChatEmpty)) throw chatNotFound();
  return chat;
}
