import { Writable } from "node:stream";
import { Command } from "ioredis";
import type { RedisClient } from "./connect.js";
import { encodeCount, encodeLength, encodeText, lineEnd } from "./resp/encode.js";
import { masterOf } from "./topology.js";

/** Longest time to store one hash, with the wait for the hashes before it. Shorter than a reader's wait for a chunk. */
const storeMs = 12_000;

/**
 * Stores a hash of long values with an expiry, in one transaction. Writes the values without the two copies of ioredis, so they must not
 * change until the promise settles. Rejects if Redis does not store them.
 */
export async function storeHash(redis: RedisClient, key: string, fields: HashFields, seconds: number): Promise<void> {
  const server = masterOf(redis, key);
  const refused = server === undefined ? moved : await storeAt(server, key, fields, seconds);
  // The client library follows a key that moved, but copies the values.
  if (refused === moved) await follow(redis, key, fields, seconds);
  else if (refused !== undefined) throw notStored(refused);
}

type HashFields = readonly (readonly [name: string, value: Buffer])[];

/** Resolves with the reason of a failure, or with `moved` if another server has the key. */
async function storeAt(server: RedisClient, key: string, fields: HashFields, seconds: number): Promise<unknown> {
  const steps = [new Step("multi"), new LongHset(key, fields), new Step("expire", [key, String(seconds)]), new Step("exec")];
  // If the connection is lost midway, the rest must not run outside the transaction.
  for (const step of steps) step.inTransaction = true;
  // All steps are sent in one turn of the event loop, so no other caller's command comes between.
  const settled = await Promise.allSettled(steps.map((step): Promise<unknown> => Promise.resolve(server.sendCommand(step))));
  const errors: unknown[] = settled.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
  if (errors.some((error) => error instanceof Error && /^(MOVED|ASK) /.test(error.message))) return moved;
  const executed = settled.at(-1);
  const replies: unknown = executed?.status === "fulfilled" ? executed.value : undefined;
  if (Array.isArray(replies)) return replies.find((reply) => reply instanceof Error);
  return executed?.status === "rejected" ? executed.reason : new Error("transaction was not carried out");
}

const moved = Symbol("moved");

async function follow(redis: RedisClient, key: string, fields: HashFields, seconds: number): Promise<void> {
  const replies = await redis
    .multi()
    .hset(key, ...fields.flat())
    .expire(key, seconds)
    .exec()
    .catch((error: unknown) => {
      throw notStored(error);
    });
  const [failed] = replies?.flatMap(([error]) => error ?? []) ?? [new Error("transaction was not carried out")];
  if (failed !== undefined) throw notStored(failed);
}

function notStored(cause: unknown): Error {
  return new Error("hash was not stored", { cause });
}

/** A step of the transaction. It has more time than other commands (`commandTimeout`), because long values wait for each other. */
class Step extends Command {
  override setTimeout(): void {
    super.setTimeout(storeMs);
  }
}

/** HSET that writes its values without a copy. */
class LongHset extends Step {
  private readonly parts: (string | Buffer)[] = [];

  constructor(key: string, fields: HashFields) {
    super("hset", [key]);
    let text = `${encodeCount(2 + 2 * fields.length)}${encodeText("hset")}${encodeText(key)}`;
    for (const [name, value] of fields) {
      this.parts.push(`${text}${encodeText(name)}${encodeLength(value.length)}`, value);
      text = lineEnd;
    }
    this.parts.push(text);
  }

  /** The returned part follows the parts that were written. */
  override toWritable(socket: object): string | Buffer {
    if (!(socket instanceof Writable)) return Buffer.concat(this.parts.map((part) => Buffer.from(part)));
    socket.cork();
    process.nextTick(() => socket.uncork());
    for (const part of this.parts.slice(0, -1)) if (part.length > 0) socket.write(part);
    return this.parts.at(-1) ?? "";
  }
}
