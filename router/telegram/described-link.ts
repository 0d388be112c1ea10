import { ApiError } from "../../shared/contract/api-error.js";
import type { SessionId } from "../../shared/contract/ids.js";
import type { MediaAddress, MediaDescription } from "../../shared/contract/media.js";
import * as errors from "../../shared/contract/telegram/errors.js";
import type { Log } from "../../shared/log/logger.js";
import type { CachedDescription, MediaHolder } from "../../shared/media/description-cache.js";
import type { SessionPort } from "../endpoint/authenticate.js";
import type { CommandPort } from "../endpoint/endpoint.js";
import { isConnected, mustAskAgain } from "../media/media-freshness.js";
import { describedFile, type DescribedFile, type MediaMemory } from "../media/media-memory.js";
import type { MediaSession } from "../media/media-sessions.js";
import { requireLogin } from "./media-login.js";

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
  /** What this process knows of links; `media-at-hand.ts` answers out of it. */
  readonly memory: MediaMemory;
  readonly log: Log;
}

/** A link whose signature was verified, as one request asks for it. */
export interface VerifiedLink {
  readonly requestId: string;
  readonly path: string;
  readonly session: SessionId;
  readonly address: MediaAddress;
}

/** The file behind a link: from this process's memory, the cache Redis, or the session's shard, whichever may still be believed. */
export class DescribedLink {
  /** What was said of the file came from a cache, so it may not be that of the present file. */
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
    const known = this.parts.memory.get(this.link.path);
    if (known?.account === this.holder.account && !mustAskAgain(known, connected)) {
      this.cached = true;
      return known.file;
    }
    this.refuseDeleted();
    const cached = await this.read();
    this.cached = cached !== undefined;
    if (cached === undefined) return this.describeAnew();
    if (!mustAskAgain({ ...cached, address: this.link.address }, connected)) return this.remember(cached);
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
    const { owners, commands, descriptions, memory, log } = this.parts;
    const { session, address, requestId } = this.link;
    await requireLogin(owners, session, this.session, this.signal);
    const description = await commands.call("telegram", "describe-media", session, address, { signal: this.signal, requestId });
    this.refuseDeleted();
    await descriptions.put(this.holder, address, description).catch((error: unknown) => {
      log.warn({ err: error, requestId }, "media description not cached");
    });
    // Told of its deletion while it was put there: it was removed before that, and must be again.
    if (memory.isDeleted(this.holder, address)) await this.forget();
    return this.remember({ description, ageMs: 0 });
  }

  /** What is under way when the platform tells of a deletion must not outlive it. */
  private refuseDeleted(): void {
    if (this.parts.memory.isDeleted(this.holder, this.link.address)) throw errors.mediaNotFound();
  }

  /** A cache that does not answer is a miss. */
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
