import type { Bytes, NotEmpty, Positive } from "../../shared/contract/rules.js";
import type { AudioObject, DocumentObject, ImageObject, VideoObject } from "../../shared/contract/message-content.js";

/** "Media objects" of both variants: what a caller may write (blanks are taken out before), and what of it a command gets: a new object with the known fields only. */

type Url = string & NotEmpty & Bytes<2048>;
type Mimetype = string & NotEmpty & Bytes<255>;

export interface ImageForm {
  url: Url;
  mimetype: Mimetype;
  thumbnail?: string & Bytes<2048>;
}

export interface VideoForm {
  url: Url;
  mimetype: Mimetype;
  duration: number & Positive;
  thumbnail?: string & Bytes<2048>;
}

export interface AudioForm {
  url: Url;
  mimetype: Mimetype;
  duration: number & Positive;
}

export interface DocumentForm {
  url: Url;
  name: string & NotEmpty & Bytes<255>;
  size: number & Positive;
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
