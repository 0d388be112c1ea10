import { Api } from "telegram";
import bigInt from "big-integer";
import type { PictureSource } from "../media/pictures.js";

/** Returns the source of the small photo of a group or channel. */
export function chatPicture(chat: Api.Chat | Api.Channel): PictureSource {
  const peer =
    chat instanceof Api.Chat
      ? new Api.InputPeerChat({ chatId: chat.id })
      : new Api.InputPeerChannel({ channelId: chat.id, accessHash: chat.accessHash ?? bigInt.zero });
  return { peer, photo: chat.photo };
}
