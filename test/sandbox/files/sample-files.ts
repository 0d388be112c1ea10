import sharp from "sharp";
import { bombPng } from "./bomb-png.js";
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
  "photo.jpg": { mimetype: "image/jpeg", make: async () => await sharp(await picture()).jpeg({ quality: 85 }).toBuffer() },
  "photo.png": { mimetype: "image/png", make: picture },
  "photo.webp": { mimetype: "image/webp", make: async () => await sharp(await picture()).webp({ quality: 80 }).toBuffer() },
  "video.mp4": { mimetype: "video/mp4", make: () => makeVideo({ width: 720, height: 1280, seconds: 3 }) },
  "audio.mp3": { mimetype: "audio/mpeg", make: () => makeAudio(3) },
  "document.pdf": { mimetype: "application/pdf", make: () => Promise.resolve(minimalPdf("Sample document")) },
  // The header of a photo and then noise: decoders start on it and fail.
  "broken.jpg": {
    mimetype: "image/jpeg",
    make: async () => Buffer.concat([(await sharp(await picture()).jpeg().toBuffer()).subarray(0, 900), Buffer.alloc(2_000, "\xff\xd8broken", "latin1")]),
  },
  "bomb.png": { mimetype: "image/png", make: () => Promise.resolve(bombPng(16_384)) },
};
