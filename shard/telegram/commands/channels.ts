import { type CommandCall } from "../../../shared/contract/commands.js";
import { type Channel, type ChannelQuery } from "../../../shared/contract/telegram/channel.js";
import { chatPicture } from "../chat-picture.js";
import { isJoinedChannel, toChannel } from "../convert.js";
import { listDialogChats } from "../dialogs.js";
import { mapBounded } from "../map-bounded.js";
import { readPicture } from "../pictures.js";
import { type TelegramSession } from "../session.js";
import { findChannel } from "./find-chat.js";

/** GET /channel: channels followed or managed. */
export async function listChannels(session: TelegramSession, _input: unknown, { signal }: CommandCall): Promise<{ docs: Channel[] }> {
  const client = session.connected();
  const channels = (await listDialogChats(client, signal)).filter(isJoinedChannel);
  return { docs: await mapBounded(channels, picturesAtOnce, async (channel) => toChannel(channel, await readPicture(client, session.services.pictures, chatPicture(channel), signal))) };
}

/** GET /channel/{channelId}. */
export async function getChannel(session: TelegramSession, { channelId }: ChannelQuery, { signal }: CommandCall): Promise<Channel> {
  const client = session.connected();
  const channel = await findChannel(session, client, channelId, signal);
  return toChannel(channel, await readPicture(client, session.services.pictures, chatPicture(channel), signal));
}

const picturesAtOnce = 4;
