import { Writable } from "node:stream";
import { Command } from "ioredis";
import type { RedisClient } from "./connect.js";
import { encodeText } from "./resp/encode.js";
import { isSpread } from "./topology.js";

/**
 * Stores a hash of long values and its time to live, in one transaction. ioredis would copy the values twice, into a command and into a pipeline: they go
 * to the socket from where they are, and must stay as they are until the promise settles. Rejects when Redis does not store them.
 */
export async function storeHash(
  redis: RedisClient,
  key: string,
  fields: readonly (readonly [name: string, value: Buffer])[],
  seconds: number,
): Promise<void> {
  if (isSpread(redis)) await storeOnCluster(redis, key, fields, seconds);
  else await storeAtOnce(redis, key, fields, seconds);
}

async function storeAtOnce(
  redis: RedisClient,
  key: string,
  fields: readonly (readonly [string, Buffer])[],
  seconds: number,
): Promise<void> {
  const steps = [new Command("multi"), new LongHset(key, fields), new Command("expire", [key, String(seconds)]), new Command("exec")];
  // A connection that is lost midway must not run the rest outside of the transaction.
  for (const step of steps) step.inTransaction = true;
  // One turn of the event loop: nothing of another caller comes in between.
  const [, , , executed] = steps.map((step) => Promise.resolve(redis.sendCommand(step)));
  for (const step of steps) step.promise.catch(() => undefined);
  const replies: unknown = await executed;
  const failed: unknown = Array.isArray(replies)
    ? replies.find((reply) => reply instanceof Error)
    : new Error("transaction was not carried out");
  if (failed !== undefined) throw new Error("hash was not stored", { cause: failed });
}

/**
 * A transaction would go to whichever node: only commands that name their key follow it, also while its hash slot moves. A key that is left without its time by a
 * crash between the two goes when the cache is full.
 */
async function storeOnCluster(
  redis: RedisClient,
  key: string,
  fields: readonly (readonly [string, Buffer])[],
  seconds: number,
): Promise<void> {
  const storing = new LongHset(key, fields);
  try {
    await Promise.resolve(redis.sendCommand(storing));
    await redis.expire(key, seconds);
  } catch (error) {
    throw new Error("hash was not stored", { cause: error });
  }
}

/** HSET whose values are written as they are. */
class LongHset extends Command {
  private readonly parts: (string | Buffer)[] = [];

  constructor(key: string, fields: readonly (readonly [name: string, value: Buffer])[]) {
    super("hset", [key]);
    let text = `*${2 + 2 * fields.length}\r\n$4\r\nhset\r\n${encodeText(key)}`;
    for (const [name, value] of fields) {
      this.parts.push(`${text}${encodeText(name)}$${value.length}\r\n`, value);
      text = "\r\n";
    }
    this.parts.push(text);
  }

  /** What is returned follows what was written. */
  override toWritable(socket: object): string | Buffer {
    if (!(socket instanceof Writable)) return Buffer.concat(this.parts.map((part) => Buffer.from(part)));
    socket.cork();
    process.nextTick(() => socket.uncork());
    for (const part of this.parts.slice(0, -1)) if (part.length > 0) socket.write(part);
    return this.parts.at(-1) ?? "";
  }
}
