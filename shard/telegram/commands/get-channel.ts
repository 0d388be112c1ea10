import type { CommandCall } from "../../session/command.js";
import type { Channel, ChannelQuery } from "../../../shared/contract/telegram/channel.js";
import { channelRecord } from "../chats/channel-record.js";
import type { TelegramConnector } from "../connector.js";
import { findChannel } from "./find-chat.js";

/** GET /channel/{channelId}. */
export async function getChannel(connector: TelegramConnector, { channelId }: ChannelQuery, { signal }: CommandCall): Promise<Channel> {
  const client = connector.connected();
  return channelRecord(connector, client, await findChannel(connector, client, channelId, signal), signal);
}
