import typia from "typia";
import { withoutBlanks } from "../../../shared/contract/blank.js";
import { invalidItem, invalidItemCount } from "../../../shared/contract/errors.js";
import type { AlbumContent } from "../../../shared/contract/message-content.js";
import type { Wording } from "../../../shared/contract/rules.js";
import { orThrow } from "../../endpoint/validation.js";
import { rejectUnknownFields, rejectUnknownInside } from "../../endpoint/unknown-fields.js";
import type { ImageContentForm, Untyped, VideoContentForm } from "./content-forms.js";
import { imageFields, toImage, toVideo, videoFields } from "./media-forms.js";
import { withoutLists } from "./without-lists.js";

export interface AlbumForm {
  /** 2 to 10 pictures and videos in their order, each with its own caption `text`. */
  items: (Untyped<ImageContentForm> | Untyped<VideoContentForm>)[];
}

export const albumFields = ["items"] as const satisfies readonly (keyof AlbumForm)[];

/** Parses `items` of POST /message/album. Each one follows the rules of POST /message. */
export function parseAlbumContent(body: unknown, wording: Wording): AlbumContent {
  const { items } = Object(body) as { readonly items?: unknown };
  if (!Array.isArray(items) || items.length < itemsMin || items.length > itemsMax) throw invalidItemCount();
  return { items: items.map((item: unknown) => parseItem(item, wording)) };
}

function parseItem(written: unknown, wording: Wording): AlbumContent["items"][number] {
  if (typeof written !== "object" || written === null || Array.isArray(written)) throw invalidItem();
  rejectUnknownFields(written, ["text", "image", "video"]);
  rejectUnknownInside(written, "image", imageFields);
  rejectUnknownInside(written, "video", videoFields);
  const item = withoutLists(withoutBlanks(written)) as object;
  if ("image" in item === "video" in item) throw invalidItem();
  if ("image" in item) {
    const { text = "", image } = orThrow(validateImage(item), wording);
    return { type: "image", text, image: toImage(image) };
  }
  const { text = "", video } = orThrow(validateVideo(item), wording);
  return { type: "video", text, video: toVideo(video) };
}

const validateImage = typia.createValidate<Untyped<ImageContentForm>>();
const validateVideo = typia.createValidate<Untyped<VideoContentForm>>();
const itemsMin = 2;
const itemsMax = 10;
