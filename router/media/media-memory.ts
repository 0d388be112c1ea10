import { LRUCache } from "lru-cache";
import type { SessionId } from "../../shared/contract/ids.js";
import type { MediaAddress, MediaDescription } from "../../shared/contract/media.js";
import type { MediaHolder } from "../../shared/media/description-cache.js";
import { sequenceOf, type DeletedMessages, type EditedMessages } from "../../shared/media/message-media.js";
import { PreparedHeaders, type ResponseHeaders } from "../http/response.js";
import { mediaHeaders } from "./media-headers.js";

/** A described file with its headers, which are the same for every range. */
export interface DescribedFile {
  readonly description: MediaDescription;
  readonly headers: ResponseHeaders;
  readonly prepared: PreparedHeaders;
}

/** A verified link and its file. */
export interface CachedMedia {
  readonly session: SessionId;
  readonly address: MediaAddress;
  /** Account whose access to the message was proved. */
  readonly account: string;
  readonly file: DescribedFile;
  /** Milliseconds since the shard gave the description. */
  readonly ageMs: number;
}

/** A link is served from memory this long. Then the cache Redis is read, which also extends its hour there. */
export const cachedMs = 5_000;
/** About 2 KiB each. */
const linksMax = 8_192;
/** Lifetime of a known deletion. It exceeds any request that may have read the message before its deletion. */
const deletedMs = 10 * 60_000;
/** About 150 bytes each. */
const deletedMax = 65_536;

/**
 * Recently verified links, by their whole path: the same path, signature included, has the same right. Paths are found by hash, so timing
 * does not reveal how much of a wrong signature is right.
 */
export class MediaMemory {
  private readonly paths = new Map<string, Set<string>>();
  private readonly links = new LRUCache<string, Remembered>({ max: linksMax, dispose: (link, path) => this.unlist(link.message, path) });
  /** Created with the first deletion, because its tables take their full size at once. */
  private gone: LRUCache<string, true> | undefined;

  /** `now`: monotonic milliseconds. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  get(path: string): CachedMedia | undefined {
    const link = this.links.get(path);
    if (link === undefined) return undefined;
    const now = this.now();
    if (now >= link.forgetAt) {
      this.links.delete(path);
      return undefined;
    }
    return { session: link.session, address: link.address, account: link.account, file: link.file, ageMs: now - link.describedAt };
  }

  put(path: string, { session, address, account, file, ageMs }: CachedMedia): void {
    const now = this.now();
    const message = messageOf({ session, account }, sequenceOf(address), address.messageId);
    this.links.set(path, { session, address, account, file, message, describedAt: now - ageMs, forgetAt: now + cachedMs });
    this.paths.set(message, (this.paths.get(message) ?? new Set()).add(path));
  }

  forget(path: string): void {
    this.links.delete(path);
  }

  /** Drops all links to these messages, which are deleted for good, and prevents them from being remembered again. */
  delete(holder: MediaHolder, { sequence, ids }: DeletedMessages): void {
    this.gone ??= new LRUCache({ max: deletedMax, ttl: deletedMs, perf: { now: this.now } });
    for (const id of ids) this.gone.set(messageOf(holder, sequence, id), true);
    this.refresh(holder, { sequence, ids });
  }

  /** Drops all links to these messages, which may have other files now. */
  refresh(holder: MediaHolder, { sequence, ids }: EditedMessages): void {
    for (const id of ids) for (const path of [...(this.paths.get(messageOf(holder, sequence, id)) ?? [])]) this.links.delete(path);
  }

  /** Returns true if the platform reported the deletion to this account. Another account of the session has its own messages. */
  isDeleted(holder: MediaHolder, address: MediaAddress): boolean {
    return this.gone?.has(messageOf(holder, sequenceOf(address), address.messageId)) ?? false;
  }

  private unlist(message: string, path: string): void {
    const paths = this.paths.get(message);
    paths?.delete(path);
    if (paths?.size === 0) this.paths.delete(message);
  }
}

export function describedFile(description: MediaDescription): DescribedFile {
  const headers = mediaHeaders(description);
  return { description, headers, prepared: new PreparedHeaders(headers) };
}

interface Remembered {
  readonly session: SessionId;
  readonly address: MediaAddress;
  readonly account: string;
  readonly file: DescribedFile;
  readonly message: string;
  /** On this memory's clock. */
  readonly describedAt: number;
  readonly forgetAt: number;
}

function messageOf({ session, account }: MediaHolder, sequence: string, id: string): string {
  return `${session} ${account} ${sequence} ${id}`;
}
