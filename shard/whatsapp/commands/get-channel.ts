import type { Channel, ChannelQuery } from "../../../shared/contract/whatsapp/channel.js";
import { toChannel } from "../channel/channel-node.js";
import type { WhatsAppSession } from "../session.js";
import { findChannel } from "./find-channel.js";

/** GET /channel/{channelId}. */
export async function getChannel(session: WhatsAppSession, { channelId }: ChannelQuery): Promise<Channel> {
  return toChannel(await findChannel(session.connected(), channelId), session.services.channels.pictureHost);
}
