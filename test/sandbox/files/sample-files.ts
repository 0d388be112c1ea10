import sharp from "sharp";
import { bombPng } from "./bomb-png.js";
import { endlessMp4 } from "./endless-mp4.js";
import type { FileCache } from "./file-cache.js";
import { makeAudio, makeVideo } from "./ffmpeg.js";
import { minimalPdf } from "./minimal-pdf.js";
import { drawPicture } from "./pictures.js";

export interface SampleFile {
  readonly bytes: Buffer;
  readonly mimetype: string;
}

/** What `GET /files/<name>` of the control API serves: each makes itself when first asked for. */
export class SampleFiles {
  private readonly ready = new Map<string, Promise<SampleFile>>();

  constructor(private readonly cache: FileCache) {}

  /** `undefined` when there is no sample of that name. */
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
  // Longer than the platforms show a photo: 21 to 1.
  "strip.png": { mimetype: "image/png", make: () => drawPicture(40, { width: 2100, height: 100 }, "strip") },
  "photo.webp": {
    mimetype: "image/webp",
    make: async () =>
      await sharp(await picture())
        .webp({ quality: 80 })
        .toBuffer(),
  },
  // What phones do not show as it is: of these the gateway makes a JPEG.
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
  // A phone's picture by its container, without anything in it.
  "phone.heic": {
    mimetype: "image/heic",
    make: () => Promise.resolve(Buffer.concat([Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic", "latin1"), Buffer.alloc(200, 7)])),
  },
  // What servers say where a file should be.
  "error.json": { mimetype: "application/pdf", make: () => Promise.resolve(Buffer.from('{"error":"not found"}')) },
  "error.xml": {
    mimetype: "application/pdf",
    make: () => Promise.resolve(Buffer.from('<?xml version="1.0"?>\n<Error><Code>AccessDenied</Code></Error>')),
  },
  "error.txt": { mimetype: "audio/mpeg", make: () => Promise.resolve(Buffer.from("upstream request timeout\n")) },
  "video.mp4": { mimetype: "video/mp4", make: () => makeVideo({ width: 720, height: 1280, seconds: 3 }) },
  "silent.mp4": { mimetype: "video/mp4", make: () => makeVideo({ width: 320, height: 240, seconds: 2, isSilent: true }) },
  "audio.mp3": { mimetype: "audio/mpeg", make: () => makeAudio(3) },
  "document.pdf": { mimetype: "application/pdf", make: () => Promise.resolve(minimalPdf("Sample document")) },
  // The header of a photo and then noise: decoders start on it and fail.
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
  // Over the largest size in which the platforms show a photo.
  "large.jpg": {
    mimetype: "image/jpeg",
    make: async () =>
      await sharp(await drawPicture(20, { width: 4000, height: 3000 }, "large"))
        .jpeg({ quality: 40 })
        .toBuffer(),
  },
  // So far compressed that compressing it again only makes it larger.
  "small.jpg": {
    mimetype: "image/jpeg",
    make: async () =>
      await sharp(await drawPicture(120, { width: 800, height: 600 }, "small"))
        .jpeg({ quality: 30 })
        .toBuffer(),
  },
  // What a server says where a file should be, declared as the file.
  "page.jpg": {
    mimetype: "image/jpeg",
    make: () => Promise.resolve(Buffer.from("\n<!DOCTYPE html>\n<html><head><title>Log in</title></head><body></body></html>\n")),
  },
  "drawing.svg": {
    mimetype: "image/svg+xml",
    make: () => Promise.resolve(Buffer.from('<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')),
  },
  // A video by its beginning, of which no picture can be had.
  "endless.mp4": { mimetype: "video/mp4", make: () => Promise.resolve(endlessMp4()) },
  "bomb.png": { mimetype: "image/png", make: () => Promise.resolve(bombPng(16_384)) },
};
