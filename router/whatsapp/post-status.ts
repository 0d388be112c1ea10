import typia, { type IValidation } from "typia";
import { withoutBlanks } from "../../shared/contract/blank.js";
import type { Input } from "../../shared/contract/commands.js";
import { statusTypes } from "../../shared/contract/whatsapp/status.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { orThrow } from "../endpoint/validation.js";
import type { ImageContentForm, TextForm, Untyped, VideoContentForm } from "../api/message/content-forms.js";
import { toImage, toVideo } from "../api/message/media-forms.js";
import { withoutLists } from "../api/message/without-lists.js";
import { wrongType } from "../api/message/wrong-type.js";
import { wording } from "./wording.js";

/** Parses POST /status: `type`, then the one object that it requires. The account's phone sets the audience. */
export function parseStatus(http: HttpInput): Input<"whatsapp", "post-status"> {
  const body = withoutLists(withoutBlanks(http.body));
  const { type } = accepted(validateType(body));
  switch (type) {
    case "text":
      return { type, text: accepted(validateText(body)).text };
    case "image": {
      const { text = "", image } = accepted(validateImage(body));
      return { type, text, image: toImage(image) };
    }
    case "video": {
      const { text = "", video } = accepted(validateVideo(body));
      return { type, text, video: toVideo(video) };
    }
    default:
      throw wrongType(type, statusTypes, wording);
  }
}

/** A status of one of three types. The account's privacy setting decides the audience. */
export type StatusBody = TextForm | ImageContentForm | VideoContentForm;

const validateType = typia.createValidate<{ type?: unknown }>();
const validateText = typia.createValidate<Untyped<TextForm>>();
const validateImage = typia.createValidate<Untyped<ImageContentForm>>();
const validateVideo = typia.createValidate<Untyped<VideoContentForm>>();

function accepted<T>(result: IValidation<T>): T {
  return orThrow(result, wording);
}
