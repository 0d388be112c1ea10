import type { CommandCall } from "../../session/command.js";
import type { Channel, ChannelQuery } from "../../../shared/contract/telegram/channel.js";
import { chatPicture } from "../chats/chat-picture.js";
import { toChannel } from "../convert.js";
import { picturesDeadlineAt, readPicture } from "../media/pictures.js";
import type { TelegramConnector } from "../connector.js";
import { findChannel } from "./find-chat.js";

/** GET /channel/{channelId}. */
export async function getChannel(connector: TelegramConnector, { channelId }: ChannelQuery, { signal }: CommandCall): Promise<Channel> {
  const client = connector.connected();
  const channel = await findChannel(connector, client, channelId, signal);
  const { pictures } = connector.services;
  return toChannel(channel, await readPicture(client, pictures, chatPicture(channel), signal, picturesDeadlineAt()));
}
