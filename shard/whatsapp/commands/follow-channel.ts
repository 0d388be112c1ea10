import type { LeftChannel } from "../../../shared/contract/channel-change.js";
import type { Channel, ChannelReferenceInput } from "../../../shared/contract/whatsapp/channel.js";
import { toChannel } from "../channel/channel-node.js";
import { changeChannel } from "../channel/set-channel.js";
import type { WhatsAppConnector } from "../connector.js";
import { findChannel, findInvitedChannel } from "./find-channel.js";

/** POST /channel/follow. Following a channel again changes nothing. */
export async function followChannel(connector: WhatsAppConnector, { channel }: ChannelReferenceInput): Promise<Channel> {
  const client = connector.connected();
  const id = await idOf(connector, channel);
  await changeChannel(client, () => client.sock.newsletterFollow(id));
  return toChannel(await findChannel(client, id), connector.services.channels.pictureHost);
}

/** POST /channel/leave. Leaving a channel again changes nothing. Its owner cannot leave it. */
export async function leaveChannel(connector: WhatsAppConnector, { channel }: ChannelReferenceInput): Promise<LeftChannel> {
  const client = connector.connected();
  const id = await idOf(connector, channel);
  await changeChannel(client, () => client.sock.newsletterUnfollow(id));
  return { id };
}

async function idOf(connector: WhatsAppConnector, channel: ChannelReferenceInput["channel"]): Promise<string> {
  return channel.kind === "id" ? channel.id : (await findInvitedChannel(connector.connected(), channel.code)).id;
}
