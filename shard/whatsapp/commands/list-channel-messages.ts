import type { ChannelMessage, ChannelMessageQuery } from "../../../shared/contract/whatsapp/channel.js";
import { readMessages } from "../channel/read-messages.js";
import type { WhatsAppConnector } from "../connector.js";
import { findChannel } from "./find-channel.js";

/** GET /channel/message: newest first. */
export async function listChannelMessages(
  connector: WhatsAppConnector,
  { channelId, limit, before }: ChannelMessageQuery,
): Promise<{ docs: ChannelMessage[] }> {
  const client = connector.connected();
  await findChannel(client, channelId);
  return { docs: await readMessages(client, { channelId, limit, before }) };
}
