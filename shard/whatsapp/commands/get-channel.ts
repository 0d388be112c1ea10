import type { Channel, ChannelQuery } from "../../../shared/contract/whatsapp/channel.js";
import { toChannel } from "../channel/channel-node.js";
import type { WhatsAppConnector } from "../connector.js";
import { findChannel } from "./find-channel.js";

/** GET /channel/{channelId}. */
export async function getChannel(connector: WhatsAppConnector, { channelId }: ChannelQuery): Promise<Channel> {
  return toChannel(await findChannel(connector.connected(), channelId), connector.services.channels.pictureHost);
}
