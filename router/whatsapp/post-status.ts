import typia, { type IValidation } from "typia";
import { withoutBlanks } from "../../shared/contract/blank.js";
import type { Input } from "../../shared/contract/commands.js";
import type { NotEmpty } from "../../shared/contract/rules.js";
import { statusTypes } from "../../shared/contract/whatsapp/status.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { orThrow } from "../endpoint/validation.js";
import { toImage, toVideo, type ImageForm, type VideoForm } from "../message/media-forms.js";
import { wrongType } from "../message/wrong-type.js";
import { wording } from "./wording.js";

/** POST /status: `type`, then the one object that it requires. Who may see it is set on the account's phone. */
export function parseStatus(http: HttpInput): Input<"whatsapp", "post-status"> {
  const body = withoutBlanks(http.body);
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

const validateType = typia.createValidate<{ type?: unknown }>();
const validateText = typia.createValidate<{ text: string & NotEmpty }>();
const validateImage = typia.createValidate<{ text?: string; image: ImageForm }>();
const validateVideo = typia.createValidate<{ text?: string; video: VideoForm }>();

function accepted<T>(result: IValidation<T>): T {
  return orThrow(result, wording);
}
