import typia, { type IValidation } from "typia";
import { withoutBlanks } from "../../shared/contract/blank.js";
import type { Input } from "../../shared/contract/commands.js";
import type { Bytes, NotEmpty, Wording } from "../../shared/contract/rules.js";
import { unknownType } from "../../shared/contract/telegram/errors.js";
import { storyPrivacies, storyTypes, type StoryPrivacy } from "../../shared/contract/telegram/status.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { both, orThrow } from "../endpoint/validation.js";
import type { Untyped } from "../api/message/content-forms.js";
import type { VideoForm } from "../api/message/media-forms.js";
import { withoutLists } from "../api/message/without-lists.js";
import { wording } from "./wording.js";

/**
 * POST /status. `type` is read first, then the one object that it requires: a union of the three would report nothing useful.
 * Objects of other types are ignored, and the command gets a new object with the known fields only.
 */
export function parseStatus(http: HttpInput): Input<"telegram", "post-status"> {
  const body = withoutLists(withoutBlanks(http.body));
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

/** An image file. The gateway downloads it. */
interface StoryImageForm {
  /** Public, direct URL of the file: JPEG, PNG, WebP, GIF, TIFF, AVIF or BMP. */
  url: string & NotEmpty & Bytes<2048>;
  /** Media type of the file, such as `image/jpeg`. */
  mimetype: string & NotEmpty & Bytes<255>;
}

interface TextStory {
  /** Type of the content. */
  type: "text";
  /** Text, drawn in white on a dark green picture of 1080 x 1920. Text that does not fit is cut off. */
  text: string & NotEmpty;
  /** Audience. Default: `contacts`. `close_friends` is the list that the account set on the platform. */
  privacy?: StoryPrivacy;
}

interface ImageStory {
  /** Type of the content. */
  type: "image";
  /** Caption. */
  text?: string;
  /** Audience. Default: `contacts`. `close_friends` is the list that the account set on the platform. */
  privacy?: StoryPrivacy;
  /** Image, scaled down to at most 1080 pixels. */
  image: StoryImageForm;
}

interface VideoStory {
  /** Type of the content. */
  type: "video";
  /** Caption. */
  text?: string;
  /** Audience. Default: `contacts`. `close_friends` is the list that the account set on the platform. */
  privacy?: StoryPrivacy;
  /** Video, posted unchanged. */
  video: VideoForm;
}

/** A story on the account's profile. */
export type StatusBody = TextStory | ImageStory | VideoStory;

const validateType = typia.createValidate<TypeForm>();
const validatePrivacy = typia.createValidate<{ privacy?: StoryPrivacy }>();
const validateText = typia.createValidate<Untyped<TextStory>>();
const validateImage = typia.createValidate<Untyped<ImageStory>>();
const validateVideo = typia.createValidate<Untyped<VideoStory>>();

const statusWording: Wording = { ...wording, oneOf: { privacy: storyPrivacies } };

function refuseType(): never {
  throw unknownType(storyTypes);
}

function accepted<T>(result: IValidation<T>): T {
  return orThrow(result, statusWording);
}
