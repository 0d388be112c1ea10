import type { Api } from "telegram";
import type { ChannelMessage } from "../../../shared/contract/telegram/channel.js";
import { editedAt, isoDate } from "../convert.js";
import { mediaFields, type MessageLink } from "./message-media.js";
import { textEntities } from "./text-entities.js";

export function toChannelMessage(message: Api.Message, channelId: string, link: MessageLink): ChannelMessage {
  const { type, ...file } = mediaFields(message, link);
  return {
    id: String(message.id),
    channelId,
    type,
    text: message.message,
    entities: textEntities(message),
    albumId: message.groupedId?.toString() ?? "",
    created: isoDate(message.date),
    edited: editedAt(message),
    views: message.views ?? 0,
    ...file,
  };
}
