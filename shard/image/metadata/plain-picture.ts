import { plainGif } from "./plain-gif.js";
import { plainJpeg } from "./plain-jpeg.js";
import { plainPng } from "./plain-png.js";
import { plainWebp } from "./plain-webp.js";

/** What a decoder gets of a picture. `streams`: see `PlainJpeg`; false for every other format. */
export interface PlainPicture {
  readonly bytes: Uint8Array;
  readonly streams: boolean;
}

/**
 * Takes out of a picture what no pixel is drawn from, before any decoder sees it: compressed metadata of 40 KB may expand to 40 MB. The source
 * itself comes back when it holds nothing of that kind, and when its format is not known here.
 */
export function plainPicture(source: Uint8Array, mimetype: string): PlainPicture {
  const { bytes, streams } = plain(source, mimetype);
  return { bytes: bytes.length === source.length ? source : bytes, streams };
}

function plain(source: Uint8Array, mimetype: string): PlainPicture {
  switch (mimetype) {
    case "image/jpeg":
      return plainJpeg(source);
    case "image/png":
      return { bytes: plainPng(source), streams: false };
    case "image/webp":
      return { bytes: plainWebp(source), streams: false };
    case "image/gif":
      return { bytes: plainGif(source), streams: false };
    default:
      return { bytes: source, streams: false };
  }
}
