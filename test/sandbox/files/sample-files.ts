import sharp from "sharp";
import { bombPng } from "./bomb-png.js";
import { endlessMp4 } from "./endless-mp4.js";
import type { FileCache } from "./file-cache.js";
import { makeAudio, makeVideo, makeVoice } from "./ffmpeg.js";
import { minimalPdf } from "./minimal-pdf.js";
import { drawPicture } from "./pictures.js";

export interface SampleFile {
  readonly bytes: Buffer;
  readonly mimetype: string;
}

/** The samples behind `GET /files/<name>` of the control API. Each is generated on its first request. */
export class SampleFiles {
  private readonly ready = new Map<string, Promise<SampleFile>>();

  constructor(private readonly cache: FileCache) {}

  /** Returns `undefined` if no sample has this name. */
  async get(name: string): Promise<SampleFile | undefined> {
    const recipe = recipes[name];
    if (recipe === undefined || !Object.hasOwn(recipes, name)) return undefined;
    const known = this.ready.get(name);
    if (known !== undefined) return await known;
    const made = this.cache.get(name, `${name} 1`, recipe.make).then((bytes) => ({ bytes, mimetype: recipe.mimetype }));
    this.ready.set(name, made);
    made.catch(() => this.ready.delete(name));
    return await made;
  }
}

const picture = (): Promise<Buffer> => drawPicture(200, { width: 1600, height: 1200 }, "sample");

const recipes: Readonly<Record<string, { mimetype: string; make: () => Promise<Buffer> }>> = {
  "photo.jpg": {
    mimetype: "image/jpeg",
    make: async () =>
      await sharp(await picture())
        .jpeg({ quality: 85 })
        .toBuffer(),
  },
  "photo.png": { mimetype: "image/png", make: picture },
  // Exceeds the aspect ratio that platforms show as a photo: 21 to 1.
  "strip.png": { mimetype: "image/png", make: () => drawPicture(40, { width: 2100, height: 100 }, "strip") },
  "photo.webp": {
    mimetype: "image/webp",
    make: async () =>
      await sharp(await picture())
        .webp({ quality: 80 })
        .toBuffer(),
  },
  // Formats that phones do not display. The gateway converts them to JPEG.
  "photo.gif": {
    mimetype: "image/gif",
    make: async () =>
      await sharp(await picture())
        .resize(400)
        .gif()
        .toBuffer(),
  },
  "photo.tiff": {
    mimetype: "image/tiff",
    make: async () =>
      await sharp(await picture())
        .resize(400)
        .tiff()
        .toBuffer(),
  },
  // A HEIC container without content.
  "phone.heic": {
    mimetype: "image/heic",
    make: () => Promise.resolve(Buffer.concat([Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic", "latin1"), Buffer.alloc(200, 7)])),
  },
  // Error pages that a server sends in place of the file.
  "error.json": { mimetype: "application/pdf", make: () => Promise.resolve(Buffer.from('{"error":"not found"}')) },
  "error.xml": {
    mimetype: "application/pdf",
    make: () => Promise.resolve(Buffer.from('<?xml version="1.0"?>\n<Error><Code>AccessDenied</Code></Error>')),
  },
  "error.txt": { mimetype: "audio/mpeg", make: () => Promise.resolve(Buffer.from("upstream request timeout\n")) },
  "video.mp4": { mimetype: "video/mp4", make: () => makeVideo({ width: 720, height: 1280, seconds: 3 }) },
  "silent.mp4": { mimetype: "video/mp4", make: () => makeVideo({ width: 320, height: 240, seconds: 2, isSilent: true }) },
  "audio.mp3": { mimetype: "audio/mpeg", make: () => makeAudio(3) },
  "voice.ogg": { mimetype: "audio/ogg; codecs=opus", make: () => makeVoice(2) },
  "sticker.webp": {
    mimetype: "image/webp",
    make: async () =>
      await sharp(await drawPicture(0, { width: 512, height: 512 }, "hi"))
        .webp({ quality: 80 })
        .toBuffer(),
  },
  "document.pdf": { mimetype: "application/pdf", make: () => Promise.resolve(minimalPdf("Sample document")) },
  // A photo's header followed by noise: decoders start and then fail.
  "broken.jpg": {
    mimetype: "image/jpeg",
    make: async () =>
      Buffer.concat([
        (
          await sharp(await picture())
            .jpeg()
            .toBuffer()
        ).subarray(0, 900),
        Buffer.alloc(2_000, "\xff\xd8broken", "latin1"),
      ]),
  },
  // Exceeds the largest size that platforms show as a photo.
  "large.jpg": {
    mimetype: "image/jpeg",
    make: async () =>
      await sharp(await drawPicture(20, { width: 4000, height: 3000 }, "large"))
        .jpeg({ quality: 40 })
        .toBuffer(),
  },
  // Compressed so much that compressing it again makes it larger.
  "small.jpg": {
    mimetype: "image/jpeg",
    make: async () =>
      await sharp(await drawPicture(120, { width: 800, height: 600 }, "small"))
        .jpeg({ quality: 30 })
        .toBuffer(),
  },
  // An error page, declared as the file.
  "page.jpg": {
    mimetype: "image/jpeg",
    make: () => Promise.resolve(Buffer.from("\n<!DOCTYPE html>\n<html><head><title>Log in</title></head><body></body></html>\n")),
  },
  "drawing.svg": {
    mimetype: "image/svg+xml",
    make: () => Promise.resolve(Buffer.from('<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')),
  },
  // Starts like a video, but no frame can be decoded.
  "endless.mp4": { mimetype: "video/mp4", make: () => Promise.resolve(endlessMp4()) },
  "bomb.png": { mimetype: "image/png", make: () => Promise.resolve(bombPng(16_384)) },
};
