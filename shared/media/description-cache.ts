import typia from "typia";
import type { SessionId } from "../contract/ids.js";
import type { MediaAddress, MediaDescription } from "../contract/media.js";
import { chunkCacheSeconds } from "../limits.js";
import type { RedisClient } from "../redis/connect.js";
import { keys } from "../redis/keys.js";
import { messageVariants, sequenceOf, type DeletedMessages } from "./message-media.js";

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
 * a range without the shard. Unlike a chunk, a description belongs to its holder. Its key names the message as the platform does when it tells of its
 * deletion, which may be without the chat.
 */
export class DescriptionCache {
  constructor(private readonly redis: RedisClient) {}

  async get({ session, account }: MediaHolder, address: MediaAddress): Promise<CachedDescription | undefined> {
    const text = await this.redis.getex(keyOf(session, account, address), "EX", chunkCacheSeconds);
    const entry = text === null ? undefined : parse(text);
    return entry?.chat === address.chatId ? { description: entry.description, ageMs: Math.max(0, Date.now() - entry.at) } : undefined;
  }

  async put({ session, account }: MediaHolder, address: MediaAddress, description: MediaDescription): Promise<void> {
    await this.redis.set(
      keyOf(session, account, address),
      stringify({ description, chat: address.chatId, at: Date.now() }),
      "EX",
      chunkCacheSeconds,
    );
  }

  /** The message was deleted, or its file is not the described one any more. */
  async forget({ session, account }: MediaHolder, address: MediaAddress): Promise<void> {
    await this.redis.del(keyOf(session, account, address));
  }

  /** All files of messages that were deleted. */
  async forgetMessages({ session, account }: MediaHolder, { sequence, ids }: DeletedMessages): Promise<void> {
    for (let from = 0; from < ids.length; from += batch) {
      const pipeline = this.redis.pipeline();
      for (const id of ids.slice(from, from + batch))
        for (const variant of messageVariants) pipeline.del(keys.mediaDescription(session, account, sequence, id, variant));
      const failed = (await pipeline.exec())?.find(([error]) => error !== null)?.[0];
      if (failed) throw new Error("description cache does not answer", { cause: failed });
    }
  }
}

/** Messages in one round trip. */
const batch = 100;

function keyOf(session: SessionId, account: string, address: MediaAddress): string {
  return keys.mediaDescription(session, account, sequenceOf(address), address.messageId, address.variant);
}

interface Entry {
  description: MediaDescription;
  chat: string;
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
