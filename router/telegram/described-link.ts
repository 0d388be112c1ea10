import { ApiError } from "../../shared/contract/api-error.js";
import type { MediaAddress, MediaDescription } from "../../shared/contract/media.js";
import * as errors from "../../shared/contract/telegram/errors.js";
import type { Log } from "../../shared/log/logger.js";
import type { CachedDescription, MediaHolder } from "../../shared/media/description-cache.js";
import type { SessionPort } from "../endpoint/authenticate.js";
import type { CommandPort } from "../endpoint/endpoint.js";
import { isConnected, mustReadAgain } from "../media/media-freshness.js";
import { describedFile, type DescribedFile, type MediaMemory } from "../media/media-memory.js";
import type { MediaSession } from "../media/media-sessions.js";
import type { LinkedFile, VerifiedLink } from "../media/get-media.js";
import { requireLogin } from "../media/media-login.js";

/** The cache of descriptions. */
export interface DescriptionPort {
  get(holder: MediaHolder, address: MediaAddress): Promise<CachedDescription | undefined>;
  put(holder: MediaHolder, address: MediaAddress, description: MediaDescription): Promise<void>;
  forget(holder: MediaHolder, address: MediaAddress): Promise<void>;
}

export interface DescriptionParts {
  readonly owners: Pick<SessionPort, "waitActive">;
  readonly commands: CommandPort;
  readonly descriptions: DescriptionPort;
  /** Links known to this process. `media-at-hand.ts` responds from it. */
  readonly memory: MediaMemory;
  readonly log: Log;
}

/** The file behind a link: from memory, the cache Redis or the session's shard, the first that is recent enough. */
export class DescribedLink implements LinkedFile {
  /** True if the description came from a cache, so it may be outdated. */
  cached = false;
  private readonly holder: MediaHolder;

  constructor(
    private readonly parts: DescriptionParts,
    private readonly link: VerifiedLink,
    private readonly session: MediaSession,
    private readonly signal: AbortSignal,
  ) {
    this.holder = { session: link.session, account: session.lastAccount };
  }

  async describe(): Promise<DescribedFile> {
    const connected = isConnected(this.session);
    const remembered = this.parts.memory.get(this.link.path);
    if (remembered?.account === this.holder.account && !mustReadAgain(remembered, connected)) {
      this.cached = true;
      return remembered.file;
    }
    this.refuseDeleted();
    const cached = await this.read();
    this.cached = cached !== undefined;
    if (cached === undefined) return this.describeAnew();
    if (!mustReadAgain({ ...cached, address: this.link.address }, connected)) return this.remember(cached);
    try {
      return await this.describeAnew();
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) {
        await this.forget();
        throw error;
      }
      return describedFile(cached.description);
    }
  }

  async forget(): Promise<void> {
    this.parts.memory.forget(this.link.path);
    await this.parts.descriptions.forget(this.holder, this.link.address);
  }

  private async describeAnew(): Promise<DescribedFile> {
    const { descriptions, memory, log } = this.parts;
    const { address, requestId } = this.link;
    const description = await this.untilConnected();
    this.refuseDeleted();
    await descriptions.put(this.holder, address, description).catch((error: unknown) => {
      log.warn({ err: error, requestId }, "media description not cached");
    });
    // The deletion was reported while the description was being stored, so it is removed again.
    if (memory.isDeleted(this.holder, address)) await this.forget();
    return this.remember({ description, ageMs: 0 });
  }

  /** The command waits until the session is connected. */
  async untilConnected(): Promise<MediaDescription> {
    const { owners, commands } = this.parts;
    const { session, address, requestId } = this.link;
    await requireLogin(owners, "telegram", session, this.session, this.signal);
    return commands.call("telegram", "describe-media", session, address, { signal: this.signal, requestId });
  }

  /** Rejects a message that the platform reported as deleted during the request. */
  private refuseDeleted(): void {
    if (this.parts.memory.isDeleted(this.holder, this.link.address)) throw errors.mediaNotFound();
  }

  /** A failing cache counts as a miss. */
  private async read(): Promise<CachedDescription | undefined> {
    try {
      return await this.parts.descriptions.get(this.holder, this.link.address);
    } catch (error) {
      this.parts.log.warn({ err: error, requestId: this.link.requestId }, "media description read failed");
      return undefined;
    }
  }

  private remember({ description, ageMs }: CachedDescription): DescribedFile {
    this.refuseDeleted();
    const file = describedFile(description);
    this.parts.memory.put(this.link.path, { ...this.holder, address: this.link.address, file, ageMs });
    return file;
  }
}
