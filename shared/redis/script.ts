import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { RedisClient } from "./connect.js";
import type { Decode } from "./script-reply.js";

type Argument = string | number | Buffer;

/** A Lua file as a function: its KEYS and ARGV as tuples with names, and its answer. Rejects with `FencedError` when it answers FENCED. */
export type Script<Keys extends readonly string[], Args extends readonly Argument[], Reply> = (
  redis: RedisClient,
  keys: Keys,
  args: Args,
) => Promise<Reply>;

/** The slot's token is no longer ours: the caller closes the slot's sockets at once (shared/README.md, "Fencing tokens"). */
export class FencedError extends Error {
  override readonly name = "FencedError";
  constructor(cause?: unknown) {
    super("write refused: the slot has another owner", { cause });
  }
}

/** `lua` is run by its digest, and loaded again by itself after SCRIPT FLUSH or on another server. */
export function script<Keys extends readonly string[], Args extends readonly Argument[], Reply>(
  lua: URL,
  decode: Decode<Reply>,
): Script<Keys, Args, Reply> {
  const source = readFileSync(lua, "utf8");
  const sha = createHash("sha1").update(source).digest("hex");
  return async (redis, keys, args) => {
    const rest = [keys.length, ...keys, ...args] as const;
    try {
      return decode(
        await redis
          .evalsha(sha, ...rest)
          .catch((error: unknown) => (isUnknown(error) ? redis.eval(source, ...rest) : Promise.reject(error))),
      );
    } catch (error) {
      throw error instanceof Error && error.message.includes("FENCED") ? new FencedError(error) : error;
    }
  };
}

function isUnknown(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("NOSCRIPT");
}
