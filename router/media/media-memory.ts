import { LRUCache } from "lru-cache";
import type { SessionId } from "../../shared/contract/ids.js";
import type { MediaDescription } from "../../shared/contract/telegram/media.js";
import { PreparedHeaders, type AnswerHeaders } from "../http/response.js";
import { mediaHeaders } from "./media-headers.js";

/** A described file with its headers, which are the same for every range of it. */
export interface DescribedFile {
  readonly description: MediaDescription;
  readonly headers: AnswerHeaders;
  readonly prepared: PreparedHeaders;
}

/** What a link turned out to be. */
export interface KnownMedia {
  readonly session: SessionId;
  /** Whose access to the message was proved. */
  readonly account: string;
  readonly file: DescribedFile;
  /** Since the shard gave the description. */
  readonly ageMs: number;
}

/** So long this process answers from what it knows without a look at the cache Redis, whose hour that look renews. */
export const knownMs = 5_000;
/** About 2 KiB each. */
const linksMax = 8_192;

/**
 * Links that were verified and described here a moment ago, by their whole path: whoever has the same path, signature included, has the same
 * right. The table finds a path by its hash, so that the time of a look does not tell how much of a wrong signature is right.
 */
export class MediaMemory {
  private readonly links = new LRUCache<string, Remembered>({ max: linksMax });

  /** `now`: monotonic milliseconds. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  get(path: string): KnownMedia | undefined {
    const link = this.links.get(path);
    if (link === undefined) return undefined;
    const now = this.now();
    if (now >= link.forgetAt) {
      this.links.delete(path);
      return undefined;
    }
    return { session: link.session, account: link.account, file: link.file, ageMs: now - link.describedAt };
  }

  put(path: string, { session, account, file, ageMs }: KnownMedia): void {
    const now = this.now();
    this.links.set(path, { session, account, file, describedAt: now - ageMs, forgetAt: now + knownMs });
  }

  forget(path: string): void {
    this.links.delete(path);
  }
}

export function describedFile(description: MediaDescription): DescribedFile {
  const headers = mediaHeaders(description);
  return { description, headers, prepared: new PreparedHeaders(headers) };
}

interface Remembered {
  readonly session: SessionId;
  readonly account: string;
  readonly file: DescribedFile;
  /** On this memory's clock. */
  readonly describedAt: number;
  readonly forgetAt: number;
}
