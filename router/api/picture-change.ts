import typia from "typia";
import { isBlank, withoutBlanks } from "../../shared/contract/blank.js";
import { invalidPictureUrl } from "../../shared/contract/errors.js";
import type { Bytes, Wording } from "../../shared/contract/rules.js";
import { orThrow } from "../endpoint/validation.js";

export interface NewPictureForm {
  /** Public, direct URL of a picture, at most 2,048 bytes. The gateway downloads it, and cuts it to a square of 640 pixels. */
  picture?: string & Bytes<2048>;
}

export interface PictureChangeForm {
  /**
   * Public, direct URL of the new picture, at most 2,048 bytes. The gateway downloads it, and cuts it to a square of 640 pixels. An empty
   * text removes the current picture.
   */
  picture?: string & Bytes<2048>;
}

/** Parses `picture` of a call that creates something. An empty text counts as absent. */
export function parseNewPicture(body: unknown, wording: Wording): NewPictureForm {
  const { picture } = orThrow(validate(withoutBlanks(body)), wording);
  if (picture === undefined) return {};
  if (!URL.canParse(picture) || !/^https?:$/.test(new URL(picture).protocol)) throw invalidPictureUrl();
  return { picture };
}

/** Parses `picture` of a call that changes something. An empty text removes the picture. */
export function parsePictureChange(body: unknown, wording: Wording): PictureChangeForm {
  const { picture } = Object(body) as { readonly picture?: unknown };
  return typeof picture === "string" && isBlank(picture) ? { picture: "" } : parseNewPicture(body, wording);
}

const validate = typia.createValidate<NewPictureForm>();
