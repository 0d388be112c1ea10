import { extname } from "node:path";
import { usageError } from "../exit-code.js";

const types: Readonly<Record<string, string>> = {
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".png": "image/png",
  ".webp": "image/webp",
  ".mp4": "video/mp4",
  ".mp3": "audio/mpeg",
  ".m4a": "audio/mp4",
  ".ogg": "audio/ogg",
  ".opus": "audio/ogg",
  ".pdf": "application/pdf",
  ".txt": "text/plain",
  ".csv": "text/csv",
  ".zip": "application/zip",
};

/** Returns the given type, or the type of the URL's file extension. */
export function mediaTypeOf(url: string, given: string | undefined): string {
  const type = given ?? types[extname(pathOf(url)).toLowerCase()];
  if (type === undefined) throw usageError(`unknown file type: ${url}; set --mimetype`);
  return type;
}

/** Returns the file name in a URL. */
export function fileNameOf(url: string): string {
  return decodeURIComponent(pathOf(url).split("/").pop() ?? "");
}

function pathOf(url: string): string {
  if (!URL.canParse(url)) throw usageError(`${url} is not an http(s) URL`);
  return new URL(url).pathname;
}
