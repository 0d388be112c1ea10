import { plainGif } from "./plain-gif.js";
import { plainJpeg } from "./plain-jpeg.js";
import { plainPng } from "./plain-png.js";
import { plainWebp } from "./plain-webp.js";

/** The part of a picture that a decoder gets. `streams` and `lacksEnd`: see `PlainJpeg`; false for every other format. */
export interface PlainPicture {
  readonly bytes: Uint8Array;
  readonly streams: boolean;
  readonly lacksEnd: boolean;
}

/**
 * Removes everything that no pixel is drawn from before a decoder sees it: compressed metadata of 40 KB may expand to 40 MB. Returns the
 * source itself when there is nothing to remove, or its format is unknown.
 */
export function plainPicture(source: Uint8Array, mimetype: string): PlainPicture {
  const picture = plain(source, mimetype);
  return picture.bytes.length === source.length ? { ...picture, bytes: source } : picture;
}

const whole = { streams: false, lacksEnd: false };

function plain(source: Uint8Array, mimetype: string): PlainPicture {
  switch (mimetype) {
    case "image/jpeg":
      return plainJpeg(source);
    case "image/png":
      return { bytes: plainPng(source), ...whole };
    case "image/webp":
      return { bytes: plainWebp(source), ...whole };
    case "image/gif":
      return { bytes: plainGif(source), ...whole };
    default:
      return { bytes: source, ...whole };
  }
}
