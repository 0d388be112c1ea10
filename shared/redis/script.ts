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

export interface ScriptOptions {
  /** What it writes must outlive its server: who calls it waits until that is confirmed, where the connection has somebody to ask. */
  readonly isKept?: boolean;
}

const confirmers = new WeakMap<RedisClient, (key: string) => Promise<void>>();

/** After scripts that are kept, on this connection, `confirm` is waited for; it is told the script's first key. */
export function confirmKept(redis: RedisClient, confirm: (key: string) => Promise<void>): void {
  confirmers.set(redis, confirm);
}

/**
 * `lua` is run by its digest, and loaded again by itself after SCRIPT FLUSH or on another server. Of many calls that find it gone, such as those of all slots at a start,
 * one brings the text, and the others come again behind it.
 */
export function script<Keys extends readonly string[], Args extends readonly Argument[], Reply>(
  lua: URL,
  decode: Decode<Reply>,
  { isKept = false }: ScriptOptions = {},
): Script<Keys, Args, Reply> {
  const source = readFileSync(lua, "utf8");
  const sha = createHash("sha1").update(source).digest("hex");
  const loading = new WeakMap<RedisClient, Promise<unknown>>();
  const load = async (redis: RedisClient, rest: readonly [number, ...Argument[]]): Promise<unknown> => {
    const first = loading.get(redis);
    if (first !== undefined) {
      await first.catch(() => undefined);
      const again = await redis.callBuffer("evalsha", sha, ...rest).catch(unlessUnknown);
      if (again !== unknown) return again;
    }
    const loaded = redis.callBuffer("eval", source, ...rest);
    // Its reply can come in one piece with those that still say that the script is gone: their calls shall find this one.
    const forget = (): unknown => setImmediate(() => loading.delete(redis));
    void loaded.then(forget, forget);
    loading.set(redis, loaded);
    return await loaded;
  };
  return async (redis, keys, args) => {
    const rest = [keys.length, ...keys, ...args] as const;
    try {
      const reply = await redis.callBuffer("evalsha", sha, ...rest).catch(unlessUnknown);
      const decoded = decode(reply === unknown ? await load(redis, rest) : reply);
      if (isKept) await confirmers.get(redis)?.(keys[0] ?? "");
      return decoded;
    } catch (error) {
      throw error instanceof Error && error.message.includes("FENCED") ? new FencedError(error) : error;
    }
  };
}

/** The server has no script of this digest. */
const unknown = Symbol();

function unlessUnknown(error: unknown): typeof unknown {
  if (error instanceof Error && error.message.startsWith("NOSCRIPT")) return unknown;
  throw error;
}
