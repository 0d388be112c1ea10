import type { Bytes, NotEmpty, Positive } from "../../../shared/contract/rules.js";
import type { AudioObject, DocumentObject, ImageObject, VideoObject } from "../../../shared/contract/message-content.js";

/** "Media objects" of both variants: what a caller may write (blanks are taken out before), and what of it a command gets: a new object with the known fields only. */

type Url = string & NotEmpty & Bytes<2048>;
type Mimetype = string & NotEmpty & Bytes<255>;

/** A picture. The service downloads it by itself. */
export interface ImageForm {
  /** Public URL that points straight at the file. JPEG is the safest format. */
  url: Url;
  /** Media type of the file, such as `image/jpeg`. */
  mimetype: Mimetype;
  /** Public URL of a thumbnail; without one it is made of the file. Telegram makes its own. */
  thumbnail?: string & Bytes<2048>;
}

/** A film. The service downloads it by itself. */
export interface VideoForm {
  /** Public URL that points straight at the file. MP4 is the safest format. */
  url: Url;
  /** Media type of the file, such as `video/mp4`. */
  mimetype: Mimetype;
  /** Length in seconds, greater than 0; rounded up to whole ones. */
  duration: number & Positive;
  /** Public URL of a thumbnail; without one it is made of the first frame. */
  thumbnail?: string & Bytes<2048>;
}

/** A sound. It arrives as a regular audio file, never as a voice note. */
export interface AudioForm {
  /** Public URL that points straight at the file. MP3 is the safest format. */
  url: Url;
  /** Media type of the file, such as `audio/mpeg`. */
  mimetype: Mimetype;
  /** Length in seconds, greater than 0; rounded up to whole ones. */
  duration: number & Positive;
}

/** A file of any kind. */
export interface DocumentForm {
  /** Public URL that points straight at the file. */
  url: Url;
  /** File name that the chat shows, at most 255 bytes. */
  name: string & NotEmpty & Bytes<255>;
  /** Bytes, greater than 0. What is sent is the file's own size, whatever stands here. */
  size: number & Positive;
  /** Media type of the file, such as `application/pdf`. */
  mimetype: Mimetype;
}

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
