import { Api } from "telegram";
import { readContent, type Content } from "../world/media-item.js";

/**
 * Cache of the last 128 MiB of `upload.getFile` responses. Without it, a load test would mostly measure the computation of synthetic
 * parts.
 */
export class ServedParts {
  private readonly kept = new Map<string, Buffer>();
  private keptBytes = 0;

  /** Returns the serialised response, or `undefined` if the bytes are no longer stored. */
  read(
    content: Content,
    offset: number,
    length: number,
    head: { readonly type: Api.storage.TypeFileType; readonly mtime: number },
  ): Buffer | undefined {
    const key = content.kind === "synthetic" ? `${content.fileId}:${offset}:${length}` : undefined;
    const known = key === undefined ? undefined : this.kept.get(key);
    if (known !== undefined) return known;
    const bytes = readContent(content, offset, length);
    if (bytes === undefined) return undefined;
    const answer = new Api.upload.File({ ...head, bytes }).getBytes();
    if (key !== undefined) this.keep(key, answer);
    return answer;
  }

  private keep(key: string, answer: Buffer): void {
    this.kept.set(key, answer);
    this.keptBytes += answer.length;
    for (const [oldest, bytes] of this.kept) {
      if (this.keptBytes <= keptMaxBytes) return;
      this.kept.delete(oldest);
      this.keptBytes -= bytes.length;
    }
  }
}

const keptMaxBytes = 128 * 1024 * 1024;
