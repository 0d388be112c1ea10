import { Api } from "telegram";
import bigInt from "big-integer";
import type { CommandCall } from "../../session/command.js";
import type { ChannelMessage, ChannelMessageQuery } from "../../../shared/contract/telegram/channel.js";
import { listTimeoutMs } from "../../../shared/limits.js";
import { toChannelMessage } from "../chats/channel-message.js";
import { markOf } from "../convert.js";
import type { Client } from "../client.js";
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
  const docs: ChannelMessage[] = [];
  // Service notes ("changed the name") are no messages. A page of notes alone must not appear as the end.
  for (let page = 0, offsetId = before, wanted = limit; page < pagesMax; page++, wanted = pageSize) {
    const messages = await readPage(client, channel, { offsetId, limit: wanted }, signal);
    docs.push(...messages.flatMap((message) => (message instanceof Api.Message ? [toChannelMessage(message, id, link)] : [])));
    offsetId = messages.at(-1)?.id ?? 0;
    const isLast = messages.length === 0 || (messages.length < wanted && docs.length > 0);
    if (docs.length >= limit || isLast) break;
  }
  return { docs: docs.slice(0, limit) };
}

/** At most a thousand notes in a row are skipped; after that the list is shorter than requested. */
const pageSize = 100;
const pagesMax = 11;

async function readPage(
  client: Client,
  { id: channelId, accessHash }: Api.Channel,
  range: { readonly offsetId: number; readonly limit: number },
  signal: AbortSignal,
): Promise<Api.TypeMessage[]> {
  const peer = new Api.InputPeerChannel({ channelId, accessHash: accessHash ?? bigInt.zero });
  const request = new Api.messages.GetHistory({ peer, ...range, offsetDate: 0, addOffset: 0, maxId: 0, minId: 0, hash: bigInt.zero });
  const history = await client.invoke(request, { signal, deadlineMs: listTimeoutMs });
  return history instanceof Api.messages.MessagesNotModified ? [] : history.messages;
}
