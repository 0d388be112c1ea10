import { Api } from "telegram";
import bigInt from "big-integer";
import type { CommandCall } from "../../session/command.js";
import type { ChannelMessage, ChannelMessageQuery } from "../../../shared/contract/telegram/channel.js";
import { listTimeoutMs } from "../../../shared/limits.js";
import { toChannelMessage } from "../chats/channel-message.js";
import { markOf } from "../convert.js";
import type { TelegramConnector } from "../connector.js";
import { findChannel } from "./find-chat.js";

/** GET /channel/message: newest first, media as signed links. `before` 0 begins at the newest. */
export async function listChannelMessages(
  connector: TelegramConnector,
  { channelId, limit, before }: ChannelMessageQuery,
  { signal }: CommandCall,
): Promise<{ docs: ChannelMessage[] }> {
  const client = connector.connected();
  const channel = await findChannel(connector, client, channelId, signal);
  const peer = new Api.InputPeerChannel({ channelId: channel.id, accessHash: channel.accessHash ?? bigInt.zero });
  const page = { offsetId: before, offsetDate: 0, addOffset: 0, limit, maxId: 0, minId: 0, hash: bigInt.zero };
  const history = await client.invoke(new Api.messages.GetHistory({ peer, ...page }), { signal, deadlineMs: listTimeoutMs });
  if (history instanceof Api.messages.MessagesNotModified) return { docs: [] };
  const id = markOf(channel);
  const link = (messageId: number, variant: "photo" | "thumb" | "file", ext: string): string =>
    connector.services.links.mediaUrl(connector.id, { chatId: id, messageId: String(messageId), variant }, ext);
  // Notes of the service ("pinned a message") are no messages.
  return { docs: history.messages.flatMap((message) => (message instanceof Api.Message ? [toChannelMessage(message, id, link)] : [])) };
}
