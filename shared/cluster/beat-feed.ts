import { xxHash32 } from "js-xxhash";
import { keys } from "../redis/keys.js";
import type { RedisClient } from "../redis/connect.js";
import { script } from "../redis/script.js";
import { integer } from "../redis/script-reply.js";

/** The last beat of a member, as every process reads it from the feed (shared/README.md, "The feed of beats"). */
export interface Beat {
  /** Tag of the member's incarnation (`beatTag`). */
  readonly tag: number;
  readonly sequence: number;
  readonly isDraining: boolean;
}

/** Tag and sequence, 32 bits each. */
const beatBytes = 8;
/** Bit of the sequence that marks a draining member. The other bits last for 200 years at one beat every 3 s. */
const drainingBit = 0x8000_0000;
/** Most names with a place: 160 KB. Further members are known from their records alone. */
const placesMax = 20_000;

const take = script<[places: string], [member: string, most: number], number>(
  new URL("./scripts/take-place.lua", import.meta.url),
  integer,
);

/** Returns a member's place in the feed; `undefined` when all places are taken. */
export async function takePlace(redis: RedisClient, member: string): Promise<number | undefined> {
  const place = await take(redis, [keys.memberPlaces], [member, placesMax]);
  return place < 0 ? undefined : place;
}

/** Writes a beat to the feed, after the record: a reader that finds the feed behind the record believes the record. */
export async function writeBeat(redis: RedisClient, place: number, beat: Beat): Promise<void> {
  await redis.setrange(keys.memberBeats, place * beatBytes, toBytes(beat));
}

/** Returns the beats of all members, with one command. */
export async function readFeed(redis: RedisClient): Promise<Buffer> {
  return (await redis.getBuffer(keys.memberBeats)) ?? Buffer.alloc(0);
}

/** Returns the beat at `place`, or `undefined` if no beat was written there. */
export function beatAt(feed: Buffer, place: number): Beat | undefined {
  const at = place * beatBytes;
  if (at + beatBytes > feed.length) return undefined;
  const stored = feed.readUInt32BE(at + 4);
  if (stored === 0) return undefined;
  return { tag: feed.readUInt32BE(at), sequence: stored % drainingBit, isDraining: stored >= drainingBit };
}

/**
 * Returns a tag that distinguishes the incarnations of one member. After a collision the member's
 * record decides; it is read when a member falls silent.
 */
export function beatTag(incarnation: string): number {
  return xxHash32(incarnation, 0);
}

function toBytes({ tag, sequence, isDraining }: Beat): Buffer {
  const bytes = Buffer.alloc(beatBytes);
  bytes.writeUInt32BE(tag, 0);
  bytes.writeUInt32BE((sequence % drainingBit) + (isDraining ? drainingBit : 0), 4);
  return bytes;
}
