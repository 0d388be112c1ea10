import { Api } from "telegram";
import type { CommandCall } from "../../session/command.js";
import type { MessageOutput } from "../../../shared/contract/message-content.js";
import type { StickerInput } from "../../../shared/contract/telegram/message.js";
import type { TelegramConnector } from "../connector.js";
import { deliver } from "../message/deliver.js";
import { uploadSticker } from "../message/upload-media.js";
import { toInputPeer } from "../peers.js";

/** POST /message/sticker: converts a picture and sends it as a sticker of no set. */
export async function sendSticker(connector: TelegramConnector, { to, image }: StickerInput, call: CommandCall): Promise<MessageOutput> {
  return deliver(connector, to, call, async (transfer, receiver, randomId) => {
    const media = await uploadSticker(transfer, image);
    return new Api.messages.SendMedia({ peer: toInputPeer(receiver), randomId, media, message: "" });
  });
}
