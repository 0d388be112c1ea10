import { Api } from "telegram";
import bigInt from "big-integer";
import { changedPicture } from "../../files/media/square-picture.js";
import type { CommandCall } from "../../session/command.js";
import type { ChannelChangeInput } from "../../../shared/contract/channel-change.js";
import type { Channel } from "../../../shared/contract/telegram/channel.js";
import { setChannelPhoto } from "../chats/channel-photo.js";
import { channelRecord } from "../chats/channel-record.js";
import type { TelegramConnector } from "../connector.js";
import { applyChange, repeatChange } from "../message/repeat-change.js";
import { findChannel } from "./find-chat.js";

/** PATCH /channel/{channelId}: one request for each field. Only the channel's administrators may. */
export async function updateChannel(
  connector: TelegramConnector,
  { channelId, name, description, picture }: ChannelChangeInput,
  call: CommandCall,
): Promise<Channel> {
  const { signal } = call;
  await findChannel(connector, connector.connected(), channelId, signal);
  const jpeg = await changedPicture(connector.services, picture, { key: connector.id, signal });
  return repeatChange(connector, call, async (each) => {
    const { client } = each;
    const found = await findChannel(connector, client, channelId, signal);
    const ids = { channelId: found.id, accessHash: found.accessHash ?? bigInt.zero };
    const channel = new Api.InputChannel(ids);
    if (name !== undefined) await applyChange(connector, new Api.channels.EditTitle({ channel, title: name }), each);
    if (description !== undefined) {
      const request = new Api.messages.EditChatAbout({ peer: new Api.InputPeerChannel(ids), about: description });
      await applyChange(connector, request, each);
    }
    if (jpeg !== undefined) await setChannelPhoto(connector, channel, jpeg, each);
    return channelRecord(connector, client, await findChannel(connector, client, channelId, signal), signal);
  });
}
