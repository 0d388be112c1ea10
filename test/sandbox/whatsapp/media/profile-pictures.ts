import { createHash } from "node:crypto";
import { drawPicture, scaleToJpeg } from "../../files/pictures.js";

const maxKept = 200;
const imagePx = 640;
const previewPx = 96;

/** Pictures of people, groups and channels. Each path has its own picture, drawn on the first request. */
export class ProfilePictures {
  private readonly drawn = new Map<string, Promise<Buffer>>();

  async get(path: string): Promise<Buffer> {
    const known = this.drawn.get(path);
    if (known !== undefined) return await known;
    const made = draw(path);
    this.drawn.set(path, made);
    made.catch(() => this.drawn.delete(path));
    const [oldest] = this.drawn.keys();
    if (oldest !== undefined && this.drawn.size > maxKept) this.drawn.delete(oldest);
    return await made;
  }
}

async function draw(path: string): Promise<Buffer> {
  const size = path.includes("preview") ? previewPx : imagePx;
  const hue =
    createHash("sha1")
      .update(path.replace(/\/[^/]*$/, ""))
      .digest()
      .readUInt16BE(0) % 360;
  return (await scaleToJpeg(await drawPicture(hue, { width: size, height: size }, ""), size)).bytes;
}
