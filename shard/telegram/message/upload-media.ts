import { Api } from "telegram";
import type { AudioObject, DocumentObject, ImageObject, MessageContent, VideoObject } from "../../../shared/contract/message-content.js";
import { compressImage } from "../../../shared/contract/telegram/errors.js";
import { checkFile } from "../../files/download/check-file.js";
import { plainType } from "../../files/download/media-type.js";
import { requireVoice } from "../../files/download/require-voice.js";
import { ifMade } from "../../files/image/if-made.js";
import {
  renderRequestOf,
  drawn,
  fetched,
  nameOf,
  requirePhotoShape,
  thumbnailSide,
  type Transfer,
  uploaded,
  uploadedVideo,
} from "../media/transfer.js";
import type { DownloadedFile } from "../../files/media/ports.js";

export type MediaContent = Extract<MessageContent, { type: "image" | "video" | "audio" | "document" }>;

/** Downloads the file of a message and uploads it to the platform. */
export function uploadMedia(transfer: Transfer, content: MediaContent): Promise<Api.TypeInputMedia> {
  switch (content.type) {
    case "image":
      return fetched(transfer, content.image.url, "image", (file) => photo(transfer, content.image, file));
    case "video":
      return fetched(transfer, content.video.url, "media", (file) => video(transfer, content.video, file));
    case "audio":
      return fetched(transfer, content.audio.url, "media", (file) => audio(transfer, content.audio, file));
    case "document":
      return fetched(transfer, content.document.url, "media", (file) => document(transfer, content.document, file));
    default:
      return content satisfies never;
  }
}

/**
 * Sends JPEG and PNG up to 2560 pixels byte for byte, and anything else or larger as a JPEG of 2560 pixels. The platform takes no
 * thumbnail for photos. Throws `error compress image: <detail>` for an unreadable picture.
 */
async function photo(transfer: Transfer, content: ImageObject, file: DownloadedFile): Promise<Api.InputMediaUploadedPhoto> {
  const { images } = transfer.connector.services;
  const request = renderRequestOf(transfer);
  const { found } = await checkFile("image", content, file, compressImage);
  const { original } = await drawn(images.thumbnail(file.path, thumbnailSide, request), found);
  requirePhotoShape(original);
  const fits = file.size <= photoMaxBytes && Math.max(original.width, original.height) <= photoSide;
  const source =
    fits && (found === "image/jpeg" || found === "image/png") ? file : (await drawn(images.thumbnail(file.path, photoSide, request))).bytes;
  return new Api.InputMediaUploadedPhoto({ file: await uploaded(transfer, source, nameOf(content.url, "photo.jpg")) });
}

/**
 * Uses the caller's thumbnail, else the first frame, else none: a video that we cannot read may still play. Throws `error compress image:
 * <detail>` for a file that is no video.
 */
async function video(transfer: Transfer, content: VideoObject, file: DownloadedFile): Promise<Api.InputMediaUploadedDocument> {
  const { images, videos } = transfer.connector.services;
  const request = renderRequestOf(transfer);
  const { mimetype, found } = await checkFile("video", content, file, compressImage);
  const given = content.thumbnail
    ? await fetched(transfer, content.thumbnail, "thumbnail", (picture) => ifMade(images.thumbnail(picture.path, thumbnailSide, request)))
    : undefined;
  const frame = await drawn(ifMade(videos.read(file.path, request), "unsupported video format"), found);
  return uploadedVideo(transfer, { ...content, mimetype }, file, given?.bytes ?? frame?.jpeg, frame ?? { width: 0, height: 0 });
}

/** Sends an audio file, never a voice note. */
async function audio(transfer: Transfer, content: AudioObject, file: DownloadedFile): Promise<Api.InputMediaUploadedDocument> {
  const { url, duration } = content;
  const { mimetype } = await checkFile("audio", content, file);
  const fileName = nameOf(url, "audio.mp3");
  const seconds = Math.min(Math.ceil(duration), secondsMax);
  return new Api.InputMediaUploadedDocument({
    file: await uploaded(transfer, file, fileName),
    mimeType: plainType(mimetype),
    attributes: [new Api.DocumentAttributeAudio({ duration: seconds }), new Api.DocumentAttributeFilename({ fileName })],
  });
}

/** Uploads a picture as a sticker. Throws `error compress image: <detail>` for an unreadable picture. */
export function uploadSticker(transfer: Transfer, image: Pick<ImageObject, "url" | "mimetype">): Promise<Api.InputMediaUploadedDocument> {
  return fetched(transfer, image.url, "image", async (file) => {
    const { found } = await checkFile("image", image, file, compressImage);
    const { bytes, width, height } = await drawn(transfer.connector.services.images.sticker(file.path, renderRequestOf(transfer)), found);
    return new Api.InputMediaUploadedDocument({
      file: await uploaded(transfer, bytes, "sticker.webp"),
      mimeType: "image/webp",
      attributes: [
        new Api.DocumentAttributeImageSize({ w: width, h: height }),
        new Api.DocumentAttributeSticker({ alt: "", stickerset: new Api.InputStickerSetEmpty() }),
      ],
    });
  });
}

/** Uploads a voice message. Throws `audio must be an ogg file with opus` for another file. */
export function uploadVoice(transfer: Transfer, { url, duration }: AudioObject): Promise<Api.InputMediaUploadedDocument> {
  return fetched(transfer, url, "media", async (file) => {
    await requireVoice(file);
    const seconds = Math.min(Math.ceil(duration), secondsMax);
    return new Api.InputMediaUploadedDocument({
      file: await uploaded(transfer, file, "voice.ogg"),
      mimeType: "audio/ogg",
      attributes: [new Api.DocumentAttributeAudio({ duration: seconds, voice: true })],
    });
  });
}

async function document(transfer: Transfer, content: DocumentObject, file: DownloadedFile): Promise<Api.InputMediaUploadedDocument> {
  const { name } = content;
  const { mimetype } = await checkFile("document", content, file);
  return new Api.InputMediaUploadedDocument({
    file: await uploaded(transfer, file, name),
    mimeType: plainType(mimetype),
    forceFile: true,
    attributes: [new Api.DocumentAttributeFilename({ fileName: name })],
  });
}

/** The platform's limit for a photo. */
const photoMaxBytes = 10 * 1024 * 1024;
/** Variant B, "Limits": photo size; the longer side. */
const photoSide = 2_560;
/** The platform's integers have 32 bits. */
const secondsMax = 2 ** 31 - 1;
