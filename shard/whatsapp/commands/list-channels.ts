import type { Channel } from "../../../shared/contract/whatsapp/channel.js";
import { toChannel } from "../channel/channel-node.js";
import { listSubscribed } from "../channel/list-subscribed.js";
import type { WhatsAppConnector } from "../connector.js";

/** GET /channel: channels that the account follows or manages. */
export async function listChannels(connector: WhatsAppConnector): Promise<{ docs: Channel[] }> {
  const { channels } = connector.services;
  const nodes = await listSubscribed(connector.connected(), channels);
  return { docs: nodes.map((node) => toChannel(node, channels.pictureHost)) };
}
