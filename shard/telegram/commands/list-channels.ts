import type { CommandCall } from "../../session/command.js";
import type { Channel } from "../../../shared/contract/telegram/channel.js";
import { chatPicture } from "../chats/chat-picture.js";
import { listDialogChats } from "../chats/dialogs.js";
import { isJoinedChannel, toChannel } from "../convert.js";
import { mapBounded } from "../../flow/map-bounded.js";
import { picturesDeadlineAt, readPicture } from "../media/pictures.js";
import type { TelegramConnector } from "../connector.js";

/** GET /channel: lists the channels that the account follows or manages. Fetches four photos at a time. */
export async function listChannels(connector: TelegramConnector, _input: unknown, { signal }: CommandCall): Promise<{ docs: Channel[] }> {
  const client = connector.connected();
  const { pictures } = connector.services;
  const channels = (await listDialogChats(client, signal)).filter(isJoinedChannel);
  const picturesUntil = picturesDeadlineAt();
  return {
    docs: await mapBounded(channels, picturesAtOnce, async (channel) =>
      toChannel(channel, await readPicture(client, pictures, chatPicture(channel), signal, picturesUntil)),
    ),
  };
}

const picturesAtOnce = 4;
