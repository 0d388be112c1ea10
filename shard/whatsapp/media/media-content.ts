import type { AnyMediaMessageContent } from "@whiskeysockets/baileys";
import type { MessageInput } from "../../../shared/contract/whatsapp/message.js";
import type { DownloadedFile } from "../../files/media/ports.js";
import { imageMaxBytes, mediaMaxBytes } from "../../files/download/fetch-file.js";
import { checkFile } from "../../files/download/check-file.js";
import { shownImage } from "./shown-image.js";
import { type Thumbnails, videoThumbnail } from "./thumbnail.js";

export type MediaInput = Extract<MessageInput, { type: "image" | "video" | "audio" | "document" }>;
export type MediaFields = MediaInput extends infer One ? (One extends MediaInput ? Omit<One, "to"> : never) : never;

/** Returns the URL and the size limit in bytes of the file that a message is made of. */
export function sourceOf(input: MediaFields): { readonly url: string; readonly maxBytes: number } {
  switch (input.type) {
    case "image":
      return { url: input.image.url, maxBytes: imageMaxBytes };
    case "video":
      return { url: input.video.url, maxBytes: mediaMaxBytes };
    case "audio":
      return { url: input.audio.url, maxBytes: mediaMaxBytes };
    case "document":
      return { url: input.document.url, maxBytes: mediaMaxBytes };
    default:
      return input satisfies never;
  }
}

/**
 * Builds the library's form of a media message, with the file still on disk. Always gives a thumbnail, or the library would make one with
 * external programs. Throws `error parser file from url <detail>` for another kind of file.
 */
export async function toMediaContent(thumbnails: Thumbnails, input: MediaFields, file: DownloadedFile): Promise<AnyMediaMessageContent> {
  const media = { url: file.path };
  switch (input.type) {
    case "image": {
      const { found, mimetype } = await checkFile("image", input.image, file);
      const shown = await shownImage(thumbnails, file, found, input.image.thumbnail);
      const content = shown.converted ? { image: shown.converted, mimetype: "image/jpeg" } : { image: media, mimetype };
      return { ...content, ...captionOf(input), ...shown.size, jpegThumbnail: shown.thumbnail.toString("base64") };
    }
    case "video": {
      const { mimetype } = await checkFile("video", input.video, file);
      const { jpeg, size } = await videoThumbnail(thumbnails, file.path, input.video.thumbnail);
      return {
        video: media,
        mimetype,
        seconds: toSeconds(input.video.duration),
        ...captionOf(input),
        ...size,
        jpegThumbnail: jpeg.toString("base64"),
      };
    }
    case "audio": {
      const { mimetype } = await checkFile("audio", input.audio, file);
      // An audio message is never sent as a voice note.
      return { audio: media, mimetype, seconds: toSeconds(input.audio.duration), ptt: false };
    }
    case "document": {
      const { mimetype } = await checkFile("document", input.document, file);
      return { document: media, mimetype, fileName: input.document.name, ...captionOf(input) };
    }
    default:
      return input satisfies never;
  }
}

/** Rounds up to whole seconds, as the platform counts. Capped at 32 bits, beyond which the number would wrap to 0. */
export function toSeconds(duration: number): number {
  return Math.min(Math.ceil(duration), 2 ** 32 - 1);
}

function captionOf({ text }: { readonly text: string }): { caption?: string } {
  return text === "" ? {} : { caption: text };
}
