import { changedPicture } from "../../files/media/square-picture.js";
import type { CommandCall } from "../../session/command.js";
import type { ChannelChangeInput } from "../../../shared/contract/channel-change.js";
import type { Channel } from "../../../shared/contract/whatsapp/channel.js";
import { toChannel } from "../channel/channel-node.js";
import { setChannel } from "../channel/set-channel.js";
import type { WhatsAppConnector } from "../connector.js";
import { findChannel } from "./find-channel.js";

/** PATCH /channel/{channelId}: changes all fields in one request. Only the channel's administrators may. */
export async function updateChannel(
  connector: WhatsAppConnector,
  { channelId, picture, ...texts }: ChannelChangeInput,
  { signal }: CommandCall,
): Promise<Channel> {
  await findChannel(connector.connected(), channelId);
  const jpeg = await changedPicture(connector.services, picture, { key: connector.id, signal });
  const client = connector.connected();
  await setChannel(client, channelId, { ...texts, ...(jpeg !== undefined && { picture: jpeg.toString("base64") }) });
  return toChannel(await findChannel(client, channelId), connector.services.channels.pictureHost);
}
