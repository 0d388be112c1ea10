import { LRUCache } from "lru-cache";
import type { SessionId } from "../../shared/contract/ids.js";
import type { MediaAddress, MediaDescription } from "../../shared/contract/media.js";
import type { MediaHolder } from "../../shared/media/description-cache.js";
import { sequenceOf, type DeletedMessages } from "../../shared/media/message-media.js";
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
  readonly address: MediaAddress;
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
/** So long a deletion is known here: longer than any request that may have seen the message before it takes to remember what it saw. */
const deletedMs = 10 * 60_000;
/** About 150 bytes each. */
const deletedMax = 65_536;

/**
 * Links that were verified and described here a moment ago, by their whole path: whoever has the same path, signature included, has the same
 * right. The table finds a path by its hash, so that the time of a look does not tell how much of a wrong signature is right.
 */
export class MediaMemory {
  private readonly paths = new Map<string, Set<string>>();
  private readonly links = new LRUCache<string, Remembered>({ max: linksMax, dispose: (link, path) => this.unlist(link.message, path) });
  /** Made with the first deletion: its tables are there for all that it may ever hold. */
  private gone: LRUCache<string, true> | undefined;

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
    return { session: link.session, address: link.address, account: link.account, file: link.file, ageMs: now - link.describedAt };
  }

  put(path: string, { session, address, account, file, ageMs }: KnownMedia): void {
    const now = this.now();
    const message = messageOf({ session, account }, sequenceOf(address), address.messageId);
    this.links.set(path, { session, address, account, file, message, describedAt: now - ageMs, forgetAt: now + knownMs });
    this.paths.set(message, (this.paths.get(message) ?? new Set()).add(path));
  }

  forget(path: string): void {
    this.links.delete(path);
  }

  /** These messages are gone for good: no link to them is known any more, and none is remembered. */
  delete(holder: MediaHolder, { sequence, ids }: DeletedMessages): void {
    this.gone ??= new LRUCache({ max: deletedMax, ttl: deletedMs, perf: { now: this.now } });
    for (const id of ids) {
      const message = messageOf(holder, sequence, id);
      this.gone.set(message, true);
      for (const path of [...(this.paths.get(message) ?? [])]) this.links.delete(path);
    }
  }

  /** The platform has told this account that the message of this link is gone: another one on the session counts its own. */
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
