import sharp from "sharp";
import type { FileCache } from "../../files/file-cache.js";
import { minimalPdf } from "../../files/minimal-pdf.js";
import { drawPicture, scaleToJpeg } from "../../files/pictures.js";
import type { SampleFiles } from "../../files/sample-files.js";
import { present } from "../tl/present.js";
import { outlineOf, type Content, type MediaItem, type MediaOutline, type PhotoVariant } from "./media-item.js";

const photoBoxes = [
  { type: "m", box: 320 },
  { type: "x", box: 800 },
  { type: "y", box: 1280 },
  { type: "w", box: 2560 },
] as const;

/** Ids of the seeded media. */
export const stockMedia = {
  photos: [1, 2, 3],
  stickers: [11, 12],
  video: 21,
  video64: 22,
  video1500: 23,
  round: 24,
  animation: 25,
  documents: [31, 32],
  audio: 41,
  voice: 42,
} as const;

const firstUploadId = 10_000;
const keptUploads = 5_000;
/** Total bytes of readable uploads; the oldest are evicted. */
const keptBytes = 256 * 1024 * 1024;
const profileHues = 12;

/** All files of the platform by id, and the profile photos, which are computed from their ids. */
export class MediaLibrary {
  private readonly items = new Map<number, MediaItem>();
  private readonly profiles = new Map<string, Promise<Buffer>>();
  private nextId = firstUploadId;
  private uploadedBytes = 0;

  constructor(
    private readonly cache: FileCache,
    private readonly samples: SampleFiles,
    private readonly startedAt: number,
  ) {}

  /** Creates the stock, or reads it from the cache. */
  async load(): Promise<void> {
    const poster = await this.cachedPicture(300, 1280, 720, "video");
    const thumb = await this.variant("m", poster, 320);
    for (const [i, id] of stockMedia.photos.entries())
      this.items.set(
        id,
        await this.photo(
          id,
          i === 1 ? 2 : 1,
          await this.cachedPicture(i * 90, i === 2 ? 1920 : 2560, i === 2 ? 2560 : 1920, `photo ${i + 1}`),
        ),
      );
    for (const [i, id] of stockMedia.stickers.entries()) this.items.set(id, await this.sticker(id, i));
    const base = { date: this.startedAt, variants: [thumb], width: 1280, height: 720, fileName: undefined } as const;
    this.items.set(stockMedia.video, {
      ...base,
      id: stockMedia.video,
      kind: "video",
      dcId: 1,
      mimetype: "video/mp4",
      content: await this.clip("video.mp4", stockMedia.video),
      width: 720,
      height: 1280,
      duration: 3,
      fileName: "clip.mp4",
    });
    this.vary(stockMedia.video, { id: stockMedia.round, width: 384, height: 384, fileName: undefined, round: true });
    this.vary(stockMedia.video, { id: stockMedia.animation, animated: true });
    this.items.set(stockMedia.video64, {
      ...base,
      id: stockMedia.video64,
      kind: "video",
      dcId: 1,
      mimetype: "video/mp4",
      content: synthetic(stockMedia.video64, 64 * 2 ** 20),
      duration: 600,
      fileName: "talk.mp4",
    });
    this.items.set(stockMedia.video1500, {
      ...base,
      id: stockMedia.video1500,
      kind: "video",
      dcId: 2,
      mimetype: "video/mp4",
      content: synthetic(stockMedia.video1500, 1.5 * 2 ** 30),
      duration: 7_200,
      fileName: "film.mp4",
    });
    for (const [i, id] of stockMedia.documents.entries()) {
      const bytes = minimalPdf(`Document ${i + 1}`);
      this.items.set(id, {
        ...base,
        variants: [],
        id,
        kind: "document",
        dcId: i + 1,
        mimetype: "application/pdf",
        content: { kind: "bytes", bytes },
        width: 0,
        height: 0,
        duration: 0,
        fileName: `report ${i + 1}.pdf`,
      });
    }
    this.items.set(stockMedia.audio, {
      ...base,
      variants: [],
      id: stockMedia.audio,
      kind: "audio",
      dcId: 1,
      mimetype: "audio/mpeg",
      content: await this.clip("audio.mp3", stockMedia.audio),
      width: 0,
      height: 0,
      duration: 3,
      fileName: "tune.mp3",
      title: "Tune",
      performer: "The Sandboxes",
    });
    const waveform = Buffer.from("0123456789").toString("base64");
    this.vary(stockMedia.audio, {
      id: stockMedia.voice,
      fileName: undefined,
      title: undefined,
      performer: undefined,
      voice: true,
      waveform,
    });
  }

  /** Adds a copy of a file with other properties. */
  private vary(of: number, change: { readonly id: number } & { [Name in keyof MediaItem]?: MediaItem[Name] | undefined }): void {
    const item = this.items.get(of);
    if (item === undefined) throw new Error("no such file");
    this.items.set(change.id, present({ ...item, ...change }) as MediaItem);
  }

  get(id: number): MediaItem | undefined {
    return this.items.get(id);
  }

  /** Stores an uploaded file under a new id. */
  add(draft: Omit<MediaItem, "id">): MediaItem {
    const item = { ...draft, id: this.nextId++ };
    this.items.set(item.id, item);
    this.uploadedBytes += bytesOf(item);
    this.dropOldUploads();
    return item;
  }

  /** Adds a document of any size (also 0), whose bytes are computed from its id. */
  addSynthetic(size: number, dcId: number): MediaItem {
    const content = synthetic(this.nextId, size);
    return this.add({
      kind: "document",
      dcId,
      date: this.startedAt,
      mimetype: "application/octet-stream",
      content,
      variants: [],
      width: 0,
      height: 0,
      duration: 0,
      fileName: `${size} bytes.bin`,
    });
  }

  /** Returns the uploads without their bytes, for the snapshot. */
  exportUploads(): MediaOutline[] {
    return [...this.items.values()].filter((item) => item.id >= firstUploadId).map(outlineOf);
  }

  importUploads(items: readonly MediaItem[]): void {
    for (const item of items) {
      this.items.set(item.id, item);
      this.nextId = Math.max(this.nextId, item.id + 1);
    }
  }

  /** Returns the profile photo of a user or chat: 160 pixels small, 640 big. */
  async profilePhoto(photoId: number, big: boolean): Promise<Buffer> {
    const hue = photoId % profileHues;
    const side = big ? 640 : 160;
    const name = `profile-${hue}-${side}.jpg`;
    const known = this.profiles.get(name);
    if (known !== undefined) return await known;
    const made = this.cache.get(name, "profile 1", async () => {
      const picture = await drawPicture(hue * 30, { width: side, height: side }, String.fromCharCode(65 + hue));
      return await sharp(picture).jpeg({ quality: 80 }).toBuffer();
    });
    this.profiles.set(name, made);
    made.catch(() => this.profiles.delete(name));
    return await made;
  }

  private dropOldUploads(): void {
    let kept = 0;
    for (const item of this.items.values()) if (item.id >= firstUploadId) kept++;
    for (const item of this.items.values()) {
      if (kept <= keptUploads && this.uploadedBytes <= keptBytes) return;
      if (item.id < firstUploadId) continue;
      const size = bytesOf(item);
      if (kept > keptUploads) this.items.delete(item.id);
      else if (size > 0) this.items.set(item.id, outlineOf(item));
      else continue;
      kept--;
      this.uploadedBytes -= size;
    }
  }

  private cachedPicture(hue: number, width: number, height: number, label: string): Promise<Buffer> {
    return this.cache.get(`${label.replace(" ", "-")}.png`, `${hue} ${width} ${height} 1`, () =>
      drawPicture(hue, { width, height }, label),
    );
  }

  /** Without ffmpeg there are no real clips. Noise is enough for tests that do not play them. */
  private async clip(name: string, id: number): Promise<Content> {
    try {
      const sample = await this.samples.get(name);
      if (sample !== undefined) return { kind: "bytes", bytes: sample.bytes };
    } catch {
      // The control API reports this error when the sample itself is requested.
    }
    return synthetic(id, 2 * 2 ** 20);
  }

  private async photo(id: number, dcId: number, picture: Buffer): Promise<MediaItem> {
    const variants: PhotoVariant[] = [];
    for (const { type, box } of photoBoxes) variants.push(await this.variant(type, picture, box, `photo-${id}`));
    const largest = variants.at(-1);
    if (largest === undefined) throw new Error("a photo needs a size");
    return {
      id,
      kind: "photo",
      dcId,
      date: this.startedAt,
      mimetype: "image/jpeg",
      content: largest.content,
      variants,
      width: largest.width,
      height: largest.height,
      duration: 0,
      fileName: undefined,
    };
  }

  private async variant(type: string, picture: Buffer, box: number, name = "poster"): Promise<PhotoVariant> {
    const bytes = await this.cache.get(`${name}-${type}.jpg`, `${name} ${box} 1`, async () => (await scaleToJpeg(picture, box)).bytes);
    const { width, height } = await sharp(bytes).metadata();
    return { type, width, height, content: { kind: "bytes", bytes } };
  }

  private async sticker(id: number, n: number): Promise<MediaItem> {
    const bytes = await this.cache.get(`sticker-${n}.webp`, "sticker 1", async () => {
      const picture = await drawPicture(n * 120, { width: 512, height: 512 }, n === 0 ? "hi" : "ok");
      return await sharp(picture).webp({ quality: 80 }).toBuffer();
    });
    return {
      id,
      kind: "sticker",
      dcId: n + 1,
      date: this.startedAt,
      mimetype: "image/webp",
      content: { kind: "bytes", bytes },
      variants: [],
      width: 512,
      height: 512,
      duration: 0,
      fileName: "sticker.webp",
    };
  }
}

function synthetic(id: number, size: number): Content {
  return { kind: "synthetic", fileId: String(id), size };
}

function bytesOf(item: MediaItem): number {
  const own = item.content.kind === "bytes" ? item.content.bytes.length : 0;
  return item.variants.reduce((sum, { content }) => sum + (content.kind === "bytes" ? content.bytes.length : 0), own);
}
