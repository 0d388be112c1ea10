import type { Api } from "telegram";
import type { Ending } from "../../../shared/flow/ending.js";
import type { Group } from "../../../shared/contract/telegram/group.js";
import type { Client } from "../client.js";
import { toGroup } from "../convert.js";
import { readPicture } from "../media/pictures.js";
import type { TelegramConnector } from "../connector.js";
import { chatPicture } from "./chat-picture.js";

/**
 * Returns the record of a group. Fetches its description and photo when they are not cached, and retries the photo until `picturesUntil`.
 */
export async function describeGroup(
  connector: TelegramConnector,
  client: Client,
  group: Api.Chat | Api.Channel,
  signal: Ending,
  picturesUntil: number,
): Promise<Group> {
  const details = await connector.chats.groupDetails(client, group, signal);
  const picture = await readPicture(client, connector.services.pictures, chatPicture(group), signal, picturesUntil);
  return toGroup(group, { ...details, picture });
}
