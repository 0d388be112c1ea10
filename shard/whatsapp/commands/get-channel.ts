import type { Channel, ChannelQuery } from "../../../shared/contract/whatsapp/channel.js";
import { toChannel } from "../channel/channel-node.js";
import type { WhatsAppConnector } from "../connector.js";
import { findChannel } from "./find-channel.js";

/** GET /channel/{channelId}. */
export async function getChannel(session: WhatsAppConnector, { channelId }: ChannelQuery): Promise<Channel> {
  return toChannel(await findChannel(session.connected(), channelId), session.services.channels.pictureHost);
}
