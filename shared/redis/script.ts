import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { RedisClient } from "./connect.js";
import type { Decode } from "./script-reply.js";

type Argument = string | number | Buffer;

/** A Lua script as a function with named KEYS and ARGV and a typed reply. Rejects with `FencedError` for the reply FENCED. */
export type Script<Keys extends readonly string[], Args extends readonly Argument[], Reply> = (
  redis: RedisClient,
  keys: Keys,
  args: Args,
) => Promise<Reply>;

/** The slot's token has changed. The caller must close the slot's sockets at once (shared/README.md, "Fencing tokens"). */
export class FencedError extends Error {
  override readonly name = "FencedError";
  constructor(cause?: unknown) {
    super("write refused: the slot has another owner", { cause });
  }
}

export interface ScriptOptions {
  /** The write must survive its server: the caller waits until `confirmKept` has confirmed it, if the connection has a confirmer. */
  readonly isKept?: boolean;
}

const confirmers = new WeakMap<RedisClient, (key: string) => Promise<void>>();

/** Makes scripts with `isKept` on this connection wait for `confirm`, which gets the script's first key. */
export function confirmKept(redis: RedisClient, confirm: (key: string) => Promise<void>): void {
  confirmers.set(redis, confirm);
}

/**
 * Runs `lua` by its digest and loads it again if the server does not have it. Of many concurrent calls, one loads the text and the others
 * retry after it.
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
    // Delayed, because replies of other calls that miss the script may arrive together with this one, and those calls must share this
    // load.
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

/** Returned if the server has no script with this digest. */
const unknown = Symbol();

function unlessUnknown(error: unknown): typeof unknown {
  if (error instanceof Error && error.message.startsWith("NOSCRIPT")) return unknown;
  throw error;
}
