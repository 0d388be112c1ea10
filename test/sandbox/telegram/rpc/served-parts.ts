import { Api } from "telegram";
import { readContent, type Content } from "../world/media-item.js";

/**
 * Answers to `upload.getFile`. Computing a part of a synthetic file and writing it as TL takes longer than encrypting it, and a load test would measure
 * that: the last 128 MiB of such answers are kept.
 */
export class ServedParts {
  private readonly kept = new Map<string, Buffer>();
  private keptBytes = 0;

  /** The serialised answer; `undefined` when the bytes are no longer kept. */
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
