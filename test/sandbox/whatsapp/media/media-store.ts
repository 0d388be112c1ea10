import { createHash, randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

export interface StoredMedia {
  readonly path: string;
  readonly size: number;
  readonly sha256: Buffer;
  /** Number of times that the files before it were lost; part of the file's address. */
  readonly era: number;
}

/** The media host has lost the files of earlier eras. */
export interface Loss {
  readonly status: number;
  /** Whether phones upload a file again, lack it, or do not respond. */
  readonly phone: "uploads" | "lacks" | "silent";
}

/** Thrown when the body exceeds the platform's limit. */
export class TooLarge extends Error {}

export const maxUploadBytes = 128 * 1_024 * 1_024;
const maxTotalBytes = 2 * 1_024 * 1_024 * 1_024;
const draftPrefix = "draft-";

/** Store of uploaded files in a folder, each named by its hash. New files evict the oldest. */
export class MediaStore {
  private readonly sizes = new Map<string, number>();
  private total = 0;
  private era = 0;
  private lost: Loss | undefined;

  private constructor(private readonly folder: string) {}

  /** Opens the folder with the files of an earlier run. */
  static async open(folder: string): Promise<MediaStore> {
    await mkdir(folder, { recursive: true });
    const store = new MediaStore(folder);
    for (const name of await readdir(folder)) {
      if (name.startsWith(draftPrefix)) await rm(join(folder, name), { force: true });
      else store.noted(name, (await stat(join(folder, name))).size);
    }
    return store;
  }

  /** Stores a body. Rejects with `TooLarge` or the body's own error, and then stores nothing. */
  async put(body: Readable): Promise<StoredMedia> {
    const draft = join(this.folder, `${draftPrefix}${randomBytes(8).toString("hex")}`);
    const hash = createHash("sha256");
    let size = 0;
    try {
      await pipeline(
        body,
        async function* (chunks: AsyncIterable<Buffer>) {
          for await (const chunk of chunks) {
            size += chunk.length;
            if (size > maxUploadBytes) throw new TooLarge("body too large");
            hash.update(chunk);
            yield chunk;
          }
        },
        createWriteStream(draft),
      );
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
    const sha256 = hash.digest();
    const name = sha256.toString("hex");
    await rename(draft, join(this.folder, name));
    this.noted(name, size);
    await this.makeRoom();
    return { path: join(this.folder, name), size, sha256, era: this.era };
  }

  /** Returns the file with this hash of its stored bytes. */
  get(sha256: Buffer): StoredMedia | undefined {
    const name = sha256.toString("hex");
    const size = this.sizes.get(name);
    return size === undefined ? undefined : { path: join(this.folder, name), size, sha256, era: this.era };
  }

  /** Makes the addresses of all present files invalid (fault `gone-media`). */
  lose(loss: Loss): void {
    this.lost = loss;
    this.era += 1;
  }

  /** Makes all addresses valid again. */
  restore(): void {
    this.lost = undefined;
  }

  get loss(): Loss | undefined {
    return this.lost;
  }

  /** Returns why an address of this era is invalid. */
  lossOf(era: number): Loss | undefined {
    return era < this.era ? this.lost : undefined;
  }

  private noted(name: string, size: number): void {
    this.total += size - (this.sizes.get(name) ?? 0);
    this.sizes.delete(name);
    this.sizes.set(name, size);
  }

  private async makeRoom(): Promise<void> {
    for (const [name, size] of this.sizes) {
      if (this.total <= maxTotalBytes || this.sizes.size === 1) return;
      this.sizes.delete(name);
      this.total -= size;
      await rm(join(this.folder, name), { force: true });
    }
  }
}
