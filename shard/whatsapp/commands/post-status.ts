import type { proto } from "@whiskeysockets/baileys";
import type { CommandCall } from "../../session/command.js";
import { compressImage } from "../../../shared/contract/whatsapp/errors.js";
import type { StatusInput, StatusOutput } from "../../../shared/contract/whatsapp/status.js";
import { ImageError } from "../../files/media/image-error.js";
import type { Client } from "../client.js";
import { checkFile } from "../../files/download/check-file.js";
import { imageMaxBytes, withFile } from "../../files/download/fetch-file.js";
import { sourceOf, toMediaContent } from "../media/media-content.js";
import { imageThumbnail, type Thumbnails } from "../media/thumbnail.js";
import { compose } from "../message/compose.js";
import { sendUntilAccepted } from "../message/send-until-accepted.js";
import { messageIdOf } from "../message/message-id.js";
import type { WhatsAppConnector } from "../connector.js";
import { statusJid } from "../group/departures.js";
import { readAudience } from "../status/audience.js";
import { WriteStatus } from "../status/write-status.js";

/** POST /status: posts text on dark green, a compressed image, or a video to the people that the account's status privacy allows. */
export async function postStatus(
  connector: WhatsAppConnector,
  input: StatusInput,
  { id, signal, yieldLane, isFirstTry, log }: CommandCall,
): Promise<StatusOutput> {
  const audience = await readAudience(connector, connector.connected(), log);
  const messageId = messageIdOf(connector.id, id);
  const { images, videos, downloads } = connector.services;
  const thumbnails = { images, videos, downloads, key: connector.id, signal };
  const status = new WriteStatus(connector, { audience, messageId, signal });
  await sendUntilAccepted({
    connector,
    messageId,
    signal,
    yieldLane,
    isFirstTry,
    costly: true,
    keep: true,
    compose: (client) => composeStatus(client, input, thumbnails, messageId),
    write: (client, message) => status.write(client, message),
    reach: status.reach,
  });
  return { statusId: messageId };
}

const darkGreen = "#054640";
/** The system's font. The library would drop the number 0. */
const systemFont = 1;

async function composeStatus(client: Client, input: StatusInput, thumbnails: Thumbnails, messageId: string): Promise<proto.IMessage> {
  switch (input.type) {
    case "text":
      return compose(
        client,
        statusJid,
        { text: input.text, linkPreview: null },
        { messageId, signal: thumbnails.signal, backgroundColor: darkGreen, font: systemFont },
      );
    case "image":
      return withFile(thumbnails, input.image.url, imageMaxBytes, async (file) => {
        const { found } = await checkFile("image", input.image, file, compressImage);
        const refuse = (error: unknown): never => {
          throw error instanceof ImageError ? compressImage(error.sentence(found), error) : error;
        };
        const picture = await thumbnails.images.scaleImage(file.path, thumbnails).catch(refuse);
        const { jpeg } = await imageThumbnail(thumbnails, file.path, input.image.thumbnail).catch(refuse);
        const { width, height, mimetype } = picture;
        const content = {
          image: picture.bytes,
          mimetype,
          width,
          height,
          jpegThumbnail: jpeg.toString("base64"),
          ...(input.text === "" ? {} : { caption: input.text }),
        };
        return compose(client, statusJid, content, { messageId, signal: thumbnails.signal });
      });
    case "video": {
      const { url, maxBytes } = sourceOf(input);
      return withFile(thumbnails, url, maxBytes, async (file) =>
        compose(client, statusJid, await toMediaContent(thumbnails, input, file), { messageId, signal: thumbnails.signal }),
      );
    }
    default:
      return input satisfies never;
  }
}
