import type { Bytes, Coordinate, NotEmpty } from "../../../shared/contract/rules.js";
import type { AudioForm, DocumentForm, ImageForm, VideoForm } from "./media-forms.js";

/** What a message or a status may say, one form for each `type`. Objects of other types are ignored. */

/** The form without its `type`, in the same order, so that errors come in that order. */
export type Untyped<Form> = { [Name in keyof Form as Exclude<Name, "type">]: Form[Name] };

export interface TextForm {
  /** Type of the content. */
  type: "text";
  /** Text. The gateway keeps spaces at both ends. */
  text: string & NotEmpty;
}

export interface ImageContentForm {
  /** Type of the content. */
  type: "image";
  /** Caption. */
  text?: string;
  /** Image file. */
  image: ImageForm;
}

export interface VideoContentForm {
  /** Type of the content. */
  type: "video";
  /** Caption. */
  text?: string;
  /** Video file. */
  video: VideoForm;
}

export interface AudioContentForm {
  /** Type of the content. */
  type: "audio";
  /** Audio file. */
  audio: AudioForm;
}

export interface DocumentContentForm {
  /** Type of the content. */
  type: "document";
  /** Caption. */
  text?: string;
  /** Document file. */
  document: DocumentForm;
}

export interface LocationContentForm {
  /** Type of the content. */
  type: "location";
  /** Location. */
  location: LocationForm;
}

export interface ContactContentForm {
  /** Type of the content. */
  type: "contact";
  /** The contact. */
  contact: ContactForm;
}

/** A location. */
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

/** Name and phone number of a contact. */
export interface ContactForm {
  /** Name, at most 255 bytes. */
  name: string & NotEmpty & Bytes<255>;
  /** Phone number in international format: 5 to 15 digits, the first not 0. The gateway sends it unchanged. */
  phone: string & NotEmpty;
}
