import type { Bytes, NotEmpty, Positive } from "../../../shared/contract/rules.js";
import type { AudioObject, DocumentObject, ImageObject, VideoObject } from "../../../shared/contract/message-content.js";

/** Public URL, at most 2,048 bytes. */
type Url = string & NotEmpty & Bytes<2048>;
/** Media type, at most 255 bytes. */
type Mimetype = string & NotEmpty & Bytes<255>;

/** An image file. The gateway downloads it. */
export interface ImageForm {
  /** Public, direct URL of the file. JPEG works everywhere. */
  url: Url;
  /** Media type of the file, such as `image/jpeg`. */
  mimetype: Mimetype;
  /** Public URL of a thumbnail. Without it the gateway makes a thumbnail. Telegram always makes its own. */
  thumbnail?: string & Bytes<2048>;
}

/** A picture that becomes a sticker. The gateway downloads it. */
export interface PictureForm {
  /** Public, direct URL of the file. */
  url: Url;
  /** Media type of the file, such as `image/png`. */
  mimetype: Mimetype;
}

/** A video file. The gateway downloads it. */
export interface VideoForm {
  /** Public, direct URL of the file. MP4 works everywhere. */
  url: Url;
  /** Media type of the file, such as `video/mp4`. */
  mimetype: Mimetype;
  /** Length in seconds, greater than 0. Rounded up to whole seconds. */
  duration: number & Positive;
  /** Public URL of a thumbnail. Without it the gateway uses the first frame. */
  thumbnail?: string & Bytes<2048>;
}

/** An audio file. It arrives as a regular file, never as a voice message. */
export interface AudioForm {
  /** Public, direct URL of the file. MP3 works everywhere. */
  url: Url;
  /** Media type of the file, such as `audio/mpeg`. */
  mimetype: Mimetype;
  /** Length in seconds, greater than 0. Rounded up to whole seconds. */
  duration: number & Positive;
}

/** A voice message's file. The gateway downloads it. */
export interface VoiceFileForm {
  /** Public, direct URL of an Ogg file with Opus. */
  url: Url;
  /** Media type of the file, such as `audio/ogg`. */
  mimetype: Mimetype;
  /** Length in seconds, greater than 0. Rounded up to whole seconds. */
  duration: number & Positive;
}

/** A file of any type. */
export interface DocumentForm {
  /** Public, direct URL of the file. */
  url: Url;
  /** File name in the chat, at most 255 bytes. */
  name: string & NotEmpty & Bytes<255>;
  /** Size in bytes, greater than 0. The message always has the real size of the file. */
  size: number & Positive;
  /** Media type of the file, such as `application/pdf`. */
  mimetype: Mimetype;
}

export const imageFields = ["url", "mimetype", "thumbnail"] as const satisfies readonly (keyof ImageForm)[];
export const pictureFields = ["url", "mimetype"] as const satisfies readonly (keyof PictureForm)[];
export const videoFields = ["url", "mimetype", "duration", "thumbnail"] as const satisfies readonly (keyof VideoForm)[];
export const voiceFileFields = ["url", "mimetype", "duration"] as const satisfies readonly (keyof VoiceFileForm)[];

export function toImage({ url, mimetype, thumbnail }: ImageForm): ImageObject {
  return { url, mimetype, ...(thumbnail === undefined ? {} : { thumbnail }) };
}

export function toVideo({ url, mimetype, duration, thumbnail }: VideoForm): VideoObject {
  return { url, mimetype, duration, ...(thumbnail === undefined ? {} : { thumbnail }) };
}

export function toAudio({ url, mimetype, duration }: AudioForm): AudioObject {
  return { url, mimetype, duration };
}

export function toDocument({ url, name, size, mimetype }: DocumentForm): DocumentObject {
  return { url, name, size, mimetype };
}
