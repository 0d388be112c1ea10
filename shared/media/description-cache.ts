import typia from "typia";
import type { SessionId } from "../contract/ids.js";
import type { MediaAddress, MediaDescription } from "../contract/telegram/media.js";
import { chunkCacheSeconds } from "../limits.js";
import type { RedisClient } from "../redis/connect.js";
import { keys } from "../redis/keys.js";

/** Whose access to the message was proved: an account on a session. */
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
 * Descriptions of media files in the cache Redis, as JSON, with the same sliding hour as the chunks: together they answer
 * a range without the shard. Unlike a chunk, a description belongs to its holder.
 */
export class DescriptionCache {
  constructor(private readonly redis: RedisClient) {}

  async get({ session, account }: MediaHolder, address: MediaAddress): Promise<CachedDescription | undefined> {
    const text = await this.redis.getex(keys.mediaDescription(session, account, address), "EX", chunkCacheSeconds);
    const entry = text === null ? undefined : parse(text);
    return entry && { description: entry.description, ageMs: Math.max(0, Date.now() - entry.at) };
  }

  async put({ session, account }: MediaHolder, address: MediaAddress, description: MediaDescription): Promise<void> {
    await this.redis.set(keys.mediaDescription(session, account, address), stringify({ description, at: Date.now() }), "EX", chunkCacheSeconds);
  }

  /** The message was deleted, or its file is not the described one any more. */
  async forget({ session, account }: MediaHolder, address: MediaAddress): Promise<void> {
    await this.redis.del(keys.mediaDescription(session, account, address));
  }
}

interface Entry {
  description: MediaDescription;
  /** Unix milliseconds. */
  at: number;
}

const stringify = typia.json.createStringify<Entry>();
const is = typia.createIs<Entry>();

/** An entry of another version or a broken one is a miss. */
function parse(text: string): Entry | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return is(value) ? value : undefined;
  } catch {
    return undefined; // Not JSON: nobody needs to know, the shard is asked again.
  }
}
