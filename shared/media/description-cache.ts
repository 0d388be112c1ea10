import typia from "typia";
import type { SessionId } from "../contract/ids.js";
import type { MediaAddress, MediaDescription } from "../contract/telegram/media.js";
import { chunkCacheSeconds } from "../limits.js";
import type { RedisClient } from "../redis/connect.js";
import { keys } from "../redis/keys.js";

/**
 * Descriptions of media files in the cache Redis, as JSON, with the same sliding hour as the chunks: together they answer
 * a range without the shard. Unlike a chunk, a description belongs to one session, which proved its access to the message.
 */
export class DescriptionCache {
  constructor(private readonly redis: RedisClient) {}

  async get(session: SessionId, address: MediaAddress): Promise<MediaDescription | undefined> {
    const text = await this.redis.getex(keys.mediaDescription(session, address), "EX", chunkCacheSeconds);
    return text === null ? undefined : parse(text);
  }

  async put(session: SessionId, address: MediaAddress, description: MediaDescription): Promise<void> {
    await this.redis.set(keys.mediaDescription(session, address), stringify(description), "EX", chunkCacheSeconds);
  }

  /** The message was deleted, or its file is not the described one any more. */
  async forget(session: SessionId, address: MediaAddress): Promise<void> {
    await this.redis.del(keys.mediaDescription(session, address));
  }
}

const stringify = typia.json.createStringify<MediaDescription>();
const is = typia.createIs<MediaDescription>();

/** An entry of another version or a broken one is a miss. */
function parse(text: string): MediaDescription | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return is(value) ? value : undefined;
  } catch {
    return undefined; // Not JSON: nobody needs to know, the shard is asked again.
  }
}
