import typia from "typia";
import { withoutBlanks } from "../../../shared/contract/blank.js";
import type { StickerContent } from "../../../shared/contract/message-content.js";
import type { Wording } from "../../../shared/contract/rules.js";
import { rejectUnknownInside } from "../../endpoint/unknown-fields.js";
import { orThrow } from "../../endpoint/validation.js";
import { type PictureForm, pictureFields } from "./media-forms.js";
import { withoutLists } from "./without-lists.js";

export interface StickerForm {
  /** Picture of the sticker. The gateway fits it into a transparent square of 512 pixels. Only the first frame of an animation is sent. */
  image: PictureForm;
}

export const stickerFields = ["image"] as const satisfies readonly (keyof StickerForm)[];

/** Parses the picture of POST /message/sticker by the rules of `image` of POST /message. */
export function parseStickerContent(body: unknown, wording: Wording): StickerContent {
  rejectUnknownInside(body, "image", pictureFields);
  const { url, mimetype } = orThrow(validate(withoutLists(withoutBlanks(body))), wording).image;
  return { image: { url, mimetype } };
}

const validate = typia.createValidate<StickerForm>();
