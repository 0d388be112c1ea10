import type { Api } from "telegram";
import type { Ending } from "../../../shared/flow/ending.js";
import type { Channel } from "../../../shared/contract/telegram/channel.js";
import type { Client } from "../client.js";
import type { TelegramConnector } from "../connector.js";
import { toChannel } from "../convert.js";
import { picturesDeadlineAt, readPicture } from "../media/pictures.js";
import { chatPicture } from "./chat-picture.js";

/** Returns a channel as the API shows it, with its small photo. */
export async function channelRecord(
  { services }: TelegramConnector,
  client: Client,
  channel: Api.Channel,
  signal: Ending,
): Promise<Channel> {
  return toChannel(channel, await readPicture(client, services.pictures, chatPicture(channel), signal, picturesDeadlineAt()));
}
