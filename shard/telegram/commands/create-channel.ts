import { Api } from "telegram";
import bigInt from "big-integer";
import type { Ending } from "../../../shared/flow/ending.js";
import { squarePicture } from "../../files/media/square-picture.js";
import type { CommandCall } from "../../session/command.js";
import type { NewChannelInput } from "../../../shared/contract/channel-change.js";
import type { Channel } from "../../../shared/contract/telegram/channel.js";
import { internal, sendTimeout } from "../../../shared/contract/telegram/errors.js";
import { sendTimeoutMs } from "../../../shared/limits.js";
import { setChannelPhoto } from "../chats/channel-photo.js";
import { channelRecord } from "../chats/channel-record.js";
import type { TelegramConnector } from "../connector.js";
import { channelMark } from "../chats/chat-reference.js";
import { chatsIn } from "../chats/chats-in.js";
import { toChannel } from "../convert.js";
import { repeatChange } from "../message/repeat-change.js";
import { CallTimeout, ConnectionLost } from "../network/connection-error.js";
import { findChannel } from "./find-chat.js";

/** POST /channel. The picture is made first, so that a file which cannot be used creates no channel. */
export async function createChannel(
  connector: TelegramConnector,
  { name, description, picture }: NewChannelInput,
  call: CommandCall,
): Promise<Channel> {
  const { signal } = call;
  const jpeg = picture === undefined ? undefined : await squarePicture(connector.services, picture, { key: connector.id, signal });
  const channel = await create(connector, name, description, signal);
  const record = toChannel(channel, "");
  if (jpeg === undefined) return record;
  return withPhoto(connector, channel, jpeg, call).catch((error: unknown) => {
    // The channel exists: an error would make the caller create another one.
    call.log.warn({ err: error }, "picture of new channel not set");
    return record;
  });
}

async function create(connector: TelegramConnector, title: string, about: string, signal: Ending): Promise<Api.Channel> {
  const request = new Api.channels.CreateChannel({ broadcast: true, title, about });
  try {
    const updates = await connector.connected().invoke(request, { signal, deadlineMs: sendTimeoutMs, repeatable: false });
    const channel = chatsIn(updates).find((chat): chat is Api.Channel => chat instanceof Api.Channel);
    if (channel !== undefined) return channel;
  } catch (error) {
    // The channel may exist, so the error must not invite a retry.
    if (error instanceof CallTimeout) throw sendTimeout();
    throw error instanceof ConnectionLost ? internal(error) : error;
  }
  throw internal(new Error("the platform named no channel"));
}

function withPhoto(connector: TelegramConnector, { id, accessHash }: Api.Channel, jpeg: Buffer, call: CommandCall): Promise<Channel> {
  const channel = new Api.InputChannel({ channelId: id, accessHash: accessHash ?? bigInt.zero });
  return repeatChange(connector, call, async (each) => {
    await setChannelPhoto(connector, channel, jpeg, each);
    const changed = await findChannel(connector, each.client, channelMark(id), call.signal);
    return channelRecord(connector, each.client, changed, call.signal);
  });
}
