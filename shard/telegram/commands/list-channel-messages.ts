import { Api } from "telegram";
import bigInt from "big-integer";
import type { CommandCall } from "../../session/command.js";
import type { ChannelMessage, ChannelMessageQuery } from "../../../shared/contract/telegram/channel.js";
import { toChannelMessage } from "../chats/channel-message.js";
import { readHistory } from "../chats/read-history.js";
import { markOf } from "../convert.js";
import type { TelegramConnector } from "../connector.js";
import { findChannel } from "./find-chat.js";

/** GET /channel/message: lists the newest messages first, with media as signed links. `before` 0 begins at the newest. */
export async function listChannelMessages(
  connector: TelegramConnector,
  { channelId, limit, before }: ChannelMessageQuery,
  { signal }: CommandCall,
): Promise<{ docs: ChannelMessage[] }> {
  const client = connector.connected();
  const channel = await findChannel(connector, client, channelId, signal);
  const id = markOf(channel);
  const link = (messageId: number, variant: "photo" | "thumb" | "file", ext: string): string =>
    connector.services.links.mediaUrl(connector.id, { chatId: id, messageId: String(messageId), variant }, ext);
  const peer = new Api.InputPeerChannel({ channelId: channel.id, accessHash: channel.accessHash ?? bigInt.zero });
  const { messages } = await readHistory(client, peer, { limit, before }, signal);
  return { docs: messages.map((message) => toChannelMessage(message, id, link)) };
}
