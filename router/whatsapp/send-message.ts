import typia, { type IValidation } from "typia";
import type { Input } from "../../shared/contract/commands.js";
import type { Bytes, Coordinate, NotEmpty } from "../../shared/contract/rules.js";
import { tidyPhone } from "../../shared/contract/whatsapp/address.js";
import * as errors from "../../shared/contract/whatsapp/errors.js";
import { messageTypes, type ContactObject, type LocationObject } from "../../shared/contract/whatsapp/message.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { orThrow } from "../endpoint/validation.js";
import { toAudio, toDocument, toImage, toVideo, type AudioForm, type DocumentForm, type ImageForm, type VideoForm } from "./media-forms.js";
import { parseRecipient } from "./recipient.js";
import { wording } from "./wording.js";

/**
 * POST /message. Order of checks: recipient, then `type`, then the one object that it requires, as in the document's table.
 * Objects of other types are ignored.
 */
export function parseMessage({ body }: HttpInput): Input<"whatsapp", "send-message"> {
  const to = parseRecipient(body);
  const { type } = accepted(validateType(body));
  switch (type) {
    case "text":
      return { to, type, text: accepted(validateText(body)).text };
    case "image": {
      const { text = "", image } = accepted(validateImage(body));
      return { to, type, text, image: toImage(image) };
    }
    case "video": {
      const { text = "", video } = accepted(validateVideo(body));
      return { to, type, text, video: toVideo(video) };
    }
    case "audio":
      return { to, type, audio: toAudio(accepted(validateAudio(body)).audio) };
    case "document": {
      const { text = "", document } = accepted(validateDocument(body));
      return { to, type, text, document: toDocument(document) };
    }
    case "location":
      return { to, type, location: toLocation(accepted(validateLocation(body)).location) };
    case "contact":
      return { to, type, contact: toContact(accepted(validateContact(body)).contact) };
    default:
      throw errors.unknownType(messageTypes);
  }
}

interface LocationForm {
  latitude: number & Coordinate<90>;
  longitude: number & Coordinate<180>;
  name?: string & Bytes<1024>;
  address?: string & Bytes<1024>;
}

interface ContactForm {
  name: string & NotEmpty & Bytes<255>;
  phone: string & NotEmpty;
}

const validateType = typia.createValidate<{ type?: unknown }>();
const validateText = typia.createValidate<{ text: string & NotEmpty }>();
const validateImage = typia.createValidate<{ text?: string; image: ImageForm }>();
const validateVideo = typia.createValidate<{ text?: string; video: VideoForm }>();
const validateAudio = typia.createValidate<{ audio: AudioForm }>();
const validateDocument = typia.createValidate<{ text?: string; document: DocumentForm }>();
const validateLocation = typia.createValidate<{ location: LocationForm }>();
const validateContact = typia.createValidate<{ contact: ContactForm }>();

function accepted<T>(result: IValidation<T>): T {
  return orThrow(result, wording);
}

function toLocation({ latitude, longitude, name, address }: LocationForm): LocationObject {
  return { latitude, longitude, ...(name ? { name } : {}), ...(address ? { address } : {}) };
}

/** The number goes on as the caller wrote it; one that is none would make a card that nobody can call. */
function toContact({ name, phone }: ContactForm): ContactObject {
  if (tidyPhone(phone) === undefined) throw errors.invalidContactPhone();
  return { name, phone };
}
