import typia from "typia";
import { withoutBlanks } from "../../../shared/contract/blank.js";
import { invalidContactPhone } from "../../../shared/contract/errors.js";
import { messageTypes, type ContactObject, type LocationObject, type MessageContent } from "../../../shared/contract/message-content.js";
import { internationalPhone } from "../../../shared/contract/phone.js";
import type { Wording } from "../../../shared/contract/rules.js";
import { orThrow } from "../../endpoint/validation.js";
import type {
  AudioContentForm,
  ContactContentForm,
  ContactForm,
  DocumentContentForm,
  ImageContentForm,
  LocationContentForm,
  LocationForm,
  TextForm,
  Untyped,
  VideoContentForm,
} from "./content-forms.js";
import { toAudio, toDocument, toImage, toVideo } from "./media-forms.js";
import { numberAsText } from "./number-as-text.js";
import { withoutLists } from "./without-lists.js";
import { wrongType } from "./wrong-type.js";

/** Parses the content of a POST /message: `type`, then the one object that it requires. Objects of other types are ignored. */
export function parseContent(written: unknown, wording: Wording): MessageContent {
  const body = withoutLists(withoutBlanks(written));
  const { type } = orThrow(validateType(body), wording);
  switch (type) {
    case "text":
      return { type, text: orThrow(validateText(body), wording).text };
    case "image": {
      const { text = "", image } = orThrow(validateImage(body), wording);
      return { type, text, image: toImage(image) };
    }
    case "video": {
      const { text = "", video } = orThrow(validateVideo(body), wording);
      return { type, text, video: toVideo(video) };
    }
    case "audio":
      return { type, audio: toAudio(orThrow(validateAudio(body), wording).audio) };
    case "document": {
      const { text = "", document } = orThrow(validateDocument(body), wording);
      return { type, text, document: toDocument(document) };
    }
    case "location":
      return { type, location: toLocation(orThrow(validateLocation(body), wording).location) };
    case "contact":
      return { type, contact: toContact(orThrow(validateContact(withPhoneAsText(body)), wording).contact) };
    default:
      throw wrongType(type, messageTypes, wording);
  }
}

const validateType = typia.createValidate<{ type?: unknown }>();
const validateText = typia.createValidate<Untyped<TextForm>>();
const validateImage = typia.createValidate<Untyped<ImageContentForm>>();
const validateVideo = typia.createValidate<Untyped<VideoContentForm>>();
const validateAudio = typia.createValidate<Untyped<AudioContentForm>>();
const validateDocument = typia.createValidate<Untyped<DocumentContentForm>>();
const validateLocation = typia.createValidate<Untyped<LocationContentForm>>();
const validateContact = typia.createValidate<Untyped<ContactContentForm>>();

function toLocation({ latitude, longitude, name, address }: LocationForm): LocationObject {
  return { latitude, longitude, ...(name === undefined ? {} : { name }), ...(address === undefined ? {} : { address }) };
}

/** Accepts a phone number as a JSON number, as for recipients. Any other number stays unchanged and is rejected later. */
function withPhoneAsText(body: unknown): unknown {
  const { contact } = Object(body) as { contact?: unknown };
  const { phone: given } = Object(contact) as { phone?: unknown };
  const phone = numberAsText(given);
  if (typeof given !== "number" || typeof phone !== "string" || internationalPhone(phone) === undefined) return body;
  return { ...(body as object), contact: { ...(contact as object), phone } };
}

/** Keeps the number as the caller wrote it. Rejects a number that cannot be called. */
function toContact({ name, phone }: ContactForm): ContactObject {
  if (internationalPhone(phone) === undefined) throw invalidContactPhone();
  return { name, phone };
}
