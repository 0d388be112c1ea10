import typia from "typia";
import type { SessionId } from "../contract/ids.js";
import type { MediaAddress, MediaDescription, MediaVariant } from "../contract/media.js";
import type { KeyRing } from "../config/key-ring.js";
import { chunkCacheSeconds } from "../limits.js";
import type { RedisClient } from "../redis/connect.js";
import { keys } from "../redis/keys.js";
import { messageVariants, sequenceOf, type DeletedMessages } from "./message-media.js";

/** The account on a session whose access to the message was proved. */
export interface MediaHolder {
  session: SessionId;
  account: string;
}

export interface CachedDescription {
  description: MediaDescription;
  /** Milliseconds since the shard gave it. */
  ageMs: number;
}

/**
 * Caches sealed descriptions of media files with the same sliding hour as chunks, so that routers serve ranges without the shard. Keys are
 * MACs under the sealing key: after a rotation, old entries are misses.
 */
export class DescriptionCache {
  constructor(
    private readonly redis: RedisClient,
    private readonly ring: Pick<KeyRing, "seal" | "open" | "macs">,
  ) {}

  async get({ session, account }: MediaHolder, address: MediaAddress): Promise<CachedDescription | undefined> {
    const [key = ""] = this.keysOf({ session, account }, sequenceOf(address), address.messageId, address.variant);
    const sealed = await this.redis.getex(key, "EX", chunkCacheSeconds);
    const entry = sealed === null ? undefined : this.open(sealed, key);
    return entry?.chat === address.chatId ? { description: entry.description, ageMs: Math.max(0, Date.now() - entry.at) } : undefined;
  }

  async put(holder: MediaHolder, address: MediaAddress, description: MediaDescription): Promise<void> {
    const [key = ""] = this.keysOf(holder, sequenceOf(address), address.messageId, address.variant);
    const text = stringify({ description, chat: address.chatId, at: Date.now() });
    await this.redis.set(key, this.ring.seal(Buffer.from(text), contextOf(key)), "EX", chunkCacheSeconds);
  }

  /** Removes the description, because the message was deleted or its file has changed. */
  async forget(holder: MediaHolder, address: MediaAddress): Promise<void> {
    await Promise.all(this.keysOf(holder, sequenceOf(address), address.messageId, address.variant).map((key) => this.redis.del(key)));
  }

  /** Removes the descriptions of all files of deleted or edited messages. */
  async forgetMessages(holder: MediaHolder, { sequence, ids }: DeletedMessages): Promise<void> {
    for (let from = 0; from < ids.length; from += batch) {
      const names = ids
        .slice(from, from + batch)
        .flatMap((id) => messageVariants.flatMap((variant) => this.keysOf(holder, sequence, id, variant)));
      try {
        await Promise.all(names.map((key) => this.redis.del(key)));
      } catch (error) {
        throw new Error("description cache does not answer", { cause: error });
      }
    }
  }

  /** Returns a key under each key of the ring, the sealing one first: another process may seal with another one for a moment. */
  private keysOf({ session, account }: MediaHolder, sequence: string, messageId: string, variant: MediaVariant): string[] {
    return this.ring.macs([session, account, sequence, messageId, variant].join("|"), "media-description").map(keys.mediaDescription);
  }

  /** A text that was altered or moved, or is of another version, is a miss. */
  private open(sealed: string, key: string): Entry | undefined {
    try {
      const value: unknown = JSON.parse(this.ring.open(sealed, contextOf(key)).toString());
      return is(value) ? value : undefined;
    } catch {
      return undefined; // The error is dropped because the shard can describe the file again.
    }
  }
}

/** Messages in one round trip. */
const batch = 100;

const contextOf = (key: string): string => `v1|${key}`;

interface Entry {
  description: MediaDescription;
  chat: string;
  /** Unix milliseconds. */
  at: number;
}

const stringify = typia.json.createStringify<Entry>();
const is = typia.createIs<Entry>();
