import type { CommandCall } from "../../session/command.js";
import { fileFromUrl } from "../../../shared/contract/whatsapp/errors.js";
import type { MessageOutput } from "../../../shared/contract/message-content.js";
import type { StickerInput } from "../../../shared/contract/whatsapp/message.js";
import { checkFile } from "../../files/download/check-file.js";
import { imageMaxBytes, withFile } from "../../files/download/fetch-file.js";
import { ImageError } from "../../files/media/image-error.js";
import type { WhatsAppConnector } from "../connector.js";
import { compose } from "../message/compose.js";
import { addressed, sendToChat } from "./send-to-chat.js";

/** POST /message/sticker: converts a picture and sends it as a sticker. */
export async function sendSticker(connector: WhatsAppConnector, { to, image }: StickerInput, call: CommandCall): Promise<MessageOutput> {
  const { signal } = call;
  const message = await addressed(connector, to, call);
  const { jid, messageId } = message;
  const { downloads, images } = connector.services;
  const request = { key: connector.id, signal };
  await sendToChat(connector, message, call, (client, timer) =>
    withFile({ downloads, ...request }, image.url, imageMaxBytes, async (file) => {
      const { found } = await checkFile("image", image, file);
      const { bytes, width, height } = await images.sticker(file.path, request).catch((error: unknown) => {
        throw error instanceof ImageError ? fileFromUrl(error.sentence(found), error) : error;
      });
      return compose(client, jid, { sticker: bytes, mimetype: "image/webp", width, height }, { messageId, timer, signal });
    }),
  );
  return { messageId };
}
