import { Api } from "telegram";
import type { TelegramConnector } from "../connector.js";
import { uploaded } from "../media/transfer.js";
import { applyChange, type Try } from "../message/repeat-change.js";

/** Sets the photo of a channel or supergroup from a JPEG; empty removes it. */
export async function setChannelPhoto(
  connector: TelegramConnector,
  channel: Api.InputChannel,
  jpeg: Buffer | "",
  each: Try,
): Promise<void> {
  const photo =
    jpeg === "" ? new Api.InputChatPhotoEmpty() : new Api.InputChatUploadedPhoto({ file: await uploaded(each, jpeg, "picture.jpg") });
  await applyChange(connector, new Api.channels.EditPhoto({ channel, photo }), each);
}
