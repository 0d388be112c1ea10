import typia, { type IValidation } from "typia";
import { withoutBlanks } from "../../shared/contract/blank.js";
import type { Input } from "../../shared/contract/commands.js";
import type { Bytes, NotEmpty, Positive, Wording } from "../../shared/contract/rules.js";
import { unknownType } from "../../shared/contract/telegram/errors.js";
import { storyPrivacies, storyTypes, type StoryPrivacy } from "../../shared/contract/telegram/status.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { both, orThrow } from "../endpoint/validation.js";
import { wording } from "./wording.js";

/**
 * POST /status. `type` is read first, then the one object that it requires: a union of the three would report nothing useful.
 * Objects of other types are ignored, and the command gets a new object with the known fields only.
 */
export function parseStatus(http: HttpInput): Input<"telegram", "post-status"> {
  const body = withoutBlanks(http.body);
  const { type } = accepted(validateType(body));
  switch (type) {
    case "text": {
      const { text, privacy = "contacts" } = accepted(validateText(body));
      return { type, text, privacy };
    }
    case "image": {
      const { text = "", privacy = "contacts", image } = accepted(validateImage(body));
      return { type, text, privacy, image: { url: image.url, mimetype: image.mimetype } };
    }
    case "video": {
      const { text = "", privacy = "contacts", video } = accepted(validateVideo(body));
      const { url, mimetype, duration, thumbnail } = video;
      return { type, text, privacy, video: { url, mimetype, duration, ...(thumbnail === undefined ? {} : { thumbnail }) } };
    }
    default:
      return both(refuseType, () => accepted(validatePrivacy(body)))[0];
  }
}

interface TypeForm {
  type?: unknown;
}

interface TextForm {
  text: string & NotEmpty;
  privacy?: StoryPrivacy;
}

interface ImageForm {
  text?: string;
  privacy?: StoryPrivacy;
  image: { url: string & NotEmpty & Bytes<2048>; mimetype: string & NotEmpty & Bytes<255> };
}

interface VideoForm {
  text?: string;
  privacy?: StoryPrivacy;
  video: {
    url: string & NotEmpty & Bytes<2048>;
    mimetype: string & NotEmpty & Bytes<255>;
    duration: number & Positive;
    thumbnail?: string & Bytes<2048>;
  };
}

const validateType = typia.createValidate<TypeForm>();
const validatePrivacy = typia.createValidate<{ privacy?: StoryPrivacy }>();
const validateText = typia.createValidate<TextForm>();
const validateImage = typia.createValidate<ImageForm>();
const validateVideo = typia.createValidate<VideoForm>();

const statusWording: Wording = { ...wording, oneOf: { privacy: storyPrivacies } };

function refuseType(): never {
  throw unknownType(storyTypes);
}

function accepted<T>(result: IValidation<T>): T {
  return orThrow(result, statusWording);
}
