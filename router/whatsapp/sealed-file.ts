import type { FileFacts } from "../../shared/media/file-facts.js";
import { describeFile } from "../../shared/media/file-description.js";
import type { SessionPort } from "../endpoint/authenticate.js";
import type { ChunkLoader, ChunkStore, MediaFile } from "../media/chunk-loader.js";
import type { LinkedFile, VerifiedLink } from "../media/get-media.js";
import { requireLogin } from "../media/media-login.js";
import { describedFile, type DescribedFile, type MediaMemory } from "../media/media-memory.js";
import type { MediaSession } from "../media/media-sessions.js";
import type { MediaSource } from "../media/media-source.js";

export interface SealedFileParts {
  readonly owners: Pick<SessionPort, "waitActive">;
  readonly source: MediaSource;
  readonly chunks: Pick<ChunkStore, "length">;
  readonly loader: Pick<ChunkLoader, "fetchAhead">;
  readonly memory: MediaMemory;
}

/** The file behind a link that holds the facts of its file. Its description never changes. */
export class SealedFile implements LinkedFile {
  readonly cached = false;

  constructor(
    private readonly parts: SealedFileParts,
    private readonly facts: FileFacts,
    private readonly link: VerifiedLink,
    private readonly session: MediaSession,
    private readonly signal: AbortSignal,
  ) {}

  async describe(): Promise<DescribedFile> {
    const { path, session, address } = this.link;
    const file = describedFile(describeFile(this.facts, this.facts.length || (await this.findLength())));
    this.parts.memory.put(path, { session, account: this.session.lastAccount, address, file, ageMs: 0 });
    return file;
  }

  forget(): Promise<void> {
    this.parts.memory.forget(this.link.path);
    return Promise.resolve();
  }

  /** The command waits until the session is connected. */
  async untilConnected(file: MediaFile, chunk: number): Promise<void> {
    await this.requireLogin();
    await this.parts.loader.fetchAhead(file, chunk, this.signal);
  }

  /** A message does not say how long its thumbnail is, so its only chunk does. */
  private async findLength(): Promise<number> {
    const { chunks, source } = this.parts;
    const { session, address, requestId } = this.link;
    const { fileKey, etag } = describeFile(this.facts, 0);
    const cached = await chunks.length(fileKey, 0).catch(() => 0);
    if (cached > 0) return cached;
    await this.requireLogin();
    const { length } = await source.readChunk(session, { ...address, fileKey, etag, chunk: 0 }, this.signal, requestId);
    return length;
  }

  private async requireLogin(): Promise<void> {
    await requireLogin(this.parts.owners, "whatsapp", this.link.session, this.session, this.signal);
  }
}
