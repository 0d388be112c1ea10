import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { RedisClient } from "./connect.js";

/** A Lua file of `scripts/`, run by its digest; loaded again by itself after SCRIPT FLUSH or on another server. */
export interface Script {
  readonly sha: string;
  readonly lua: string;
}

/** The slot's token is no longer ours: the caller closes the slot's sockets at once. */
export class FencedError extends Error {
  override readonly name = "FencedError";
  constructor(cause?: unknown) {
    super("write refused: the slot has another owner", { cause });
  }
}

export function loadScript(name: string): Script {
  const lua = readFileSync(new URL(`./scripts/${name}.lua`, import.meta.url), "utf8");
  return { lua, sha: createHash("sha1").update(lua).digest("hex") };
}

/** Runs a script. Rejects with `FencedError` when the script answered FENCED. */
export async function runScript(
  redis: RedisClient,
  script: Script,
  keys: readonly string[],
  args: readonly (string | number | Buffer)[],
): Promise<unknown> {
  try {
    return await redis.evalsha(script.sha, keys.length, ...keys, ...args);
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    if (message.includes("FENCED")) throw new FencedError(error);
    if (!message.startsWith("NOSCRIPT")) throw error;
    return await evaluate(redis, script, keys, args);
  }
}

async function evaluate(
  redis: RedisClient,
  script: Script,
  keys: readonly string[],
  args: readonly (string | number | Buffer)[],
): Promise<unknown> {
  try {
    return await redis.eval(script.lua, keys.length, ...keys, ...args);
  } catch (error) {
    if (error instanceof Error && error.message.includes("FENCED")) throw new FencedError(error);
    throw error;
  }
}
