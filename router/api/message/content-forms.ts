import type { Bytes, Coordinate, NotEmpty } from "../../../shared/contract/rules.js";
import type { AudioForm, DocumentForm, ImageForm, VideoForm } from "./media-forms.js";

/** What a message or a status may say, one form for each `type`. Objects of other types are ignored. */

/** The form without its `type`, in the same order: so findings come in it. */
export type Untyped<Form> = { [Name in keyof Form as Exclude<Name, "type">]: Form[Name] };

export interface TextForm {
  /** What it is. */
  type: "text";
  /** The text, with the blanks around it. */
  text: string & NotEmpty;
}

export interface ImageContentForm {
  /** What it is. */
  type: "image";
  /** Caption. */
  text?: string;
  /** The picture. */
  image: ImageForm;
}

export interface VideoContentForm {
  /** What it is. */
  type: "video";
  /** Caption. */
  text?: string;
  /** The film. */
  video: VideoForm;
}

export interface AudioContentForm {
  /** What it is. */
  type: "audio";
  /** The sound. */
  audio: AudioForm;
}

export interface DocumentContentForm {
  /** What it is. */
  type: "document";
  /** Caption. */
  text?: string;
  /** The file. */
  document: DocumentForm;
}

export interface LocationContentForm {
  /** What it is. */
  type: "location";
  /** The place. */
  location: LocationForm;
}

export interface ContactContentForm {
  /** What it is. */
  type: "contact";
  /** The contact. */
  contact: ContactForm;
}

/** A place on the globe. */
export interface LocationForm {
  /** Degrees north, from -90 to 90; not 0. */
  latitude: number & Coordinate<90>;
  /** Degrees east, from -180 to 180; not 0. */
  longitude: number & Coordinate<180>;
  /** Name of the place, at most 1,024 bytes. */
  name?: string & Bytes<1024>;
  /** Address of the place, at most 1,024 bytes. */
  address?: string & Bytes<1024>;
}

/** Somebody's name and number. */
export interface ContactForm {
  /** Name, at most 255 bytes. */
  name: string & NotEmpty & Bytes<255>;
  /** Number in international format: 5 to 15 digits, the first of them not 0. It goes on as it is written. */
  phone: string & NotEmpty;
}
