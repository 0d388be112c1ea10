/** Returns the extension of a link, without the dot: by type, else that of the file's name (1 to 8 letters and digits), else `bin`. */
export function extensionOf(mimetype: string, name: string): string {
  const byName = /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase();
  return extensions[mimetype.toLowerCase()] ?? byName ?? "bin";
}

const extensions: Readonly<Record<string, string>> = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/webp": "webp",
  "image/gif": "gif",
  "video/mp4": "mp4",
  "video/webm": "webm",
  "video/quicktime": "mov",
  "audio/mpeg": "mp3",
  "audio/mp4": "m4a",
  "audio/ogg": "ogg",
  "audio/x-wav": "wav",
  "application/pdf": "pdf",
  "application/zip": "zip",
  "application/x-tgsticker": "tgs",
  "text/plain": "txt",
};
