import { Api } from "telegram";
import bigInt from "big-integer";
import type { ChannelMessage } from "../../../shared/contract/telegram/channel.js";
import { extensionOf } from "../../files/media/extension.js";
import { largestSizes, nameOf, pickSize, videoThumbSizes } from "../media/media-file.js";

/** Makes the signed link of a message's file. */
export type MessageLink = (messageId: number, variant: "photo" | "thumb" | "file", ext: string) => string;

/** The media fields of message records, in channels and private chats alike. */
export type MediaFields = Pick<
  ChannelMessage,
  | "type"
  | "url"
  | "thumbnail"
  | "mimetype"
  | "name"
  | "size"
  | "duration"
  | "width"
  | "height"
  | "voice"
  | "round"
  | "animation"
  | "title"
  | "performer"
>;

/** Returns the media fields. The type is `other` for content without a file that is not shown as text, such as a poll. */
export function mediaFields({ id, media }: Api.Message, link: MessageLink): MediaFields {
  if (media instanceof Api.MessageMediaPhoto && media.photo instanceof Api.Photo) return photoFields(id, media.photo, link);
  if (media instanceof Api.MessageMediaDocument && media.document instanceof Api.Document) return documentFields(id, media.document, link);
  return { ...noMedia, type: media && !shownAsText(media) ? "other" : "text" };
}

const noSound = { voice: false, round: false, animation: false, title: "", performer: "" };
const noMedia = { url: "", thumbnail: "", mimetype: "", name: "", size: 0, duration: 0, width: 0, height: 0, ...noSound };

function photoFields(id: number, photo: Api.Photo, link: MessageLink): MediaFields {
  const size = pickSize(photo.sizes, largestSizes);
  if (size === undefined) return { ...noMedia, type: "image" };
  const { length, width, height } = size;
  return {
    ...noMedia,
    type: "image",
    url: link(id, "photo", "jpg"),
    thumbnail: link(id, "thumb", "jpg"),
    mimetype: "image/jpeg",
    size: length,
    width,
    height,
  };
}

function documentFields(id: number, document: Api.Document, link: MessageLink): MediaFields {
  const { attributes } = document;
  const video = attributes.find((one): one is Api.DocumentAttributeVideo => one instanceof Api.DocumentAttributeVideo);
  const audio = attributes.find((one): one is Api.DocumentAttributeAudio => one instanceof Api.DocumentAttributeAudio);
  const image = attributes.find((one): one is Api.DocumentAttributeImageSize => one instanceof Api.DocumentAttributeImageSize);
  const sticker = attributes.some((one) => one instanceof Api.DocumentAttributeSticker);
  const name = nameOf(document);
  return {
    type: sticker ? "sticker" : video ? "video" : audio ? "audio" : "document",
    url: link(id, "file", extensionOf(document.mimeType, name)),
    thumbnail: pickSize(document.thumbs, videoThumbSizes) === undefined ? "" : link(id, "thumb", "jpg"),
    mimetype: document.mimeType,
    name,
    size: bigInt(document.size).toJSNumber(),
    duration: video?.duration ?? audio?.duration ?? 0,
    width: video?.w ?? image?.w ?? 0,
    height: video?.h ?? image?.h ?? 0,
    voice: audio?.voice === true,
    round: video?.roundMessage === true,
    animation: attributes.some((one) => one instanceof Api.DocumentAttributeAnimated),
    title: audio?.title ?? "",
    performer: audio?.performer ?? "",
  };
}

/** Returns true for media that belong to a text, such as a link preview. */
function shownAsText(media: Api.TypeMessageMedia): boolean {
  return media instanceof Api.MessageMediaEmpty || media instanceof Api.MessageMediaWebPage;
}
