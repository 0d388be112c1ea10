import { createHash, randomBytes } from "node:crypto";
import type { RedisClient } from "../redis/connect.js";
import { keys } from "../redis/keys.js";

/** Long enough to read the terminal, short enough that a scrollback found later opens nothing. */
export const signInCodeMs = 15 * 60_000;

/** Makes a single-use sign-in code of 192 random bits. Redis holds only its hash, so reading Redis reveals no code. */
export async function makeSignInCode(redis: RedisClient): Promise<string> {
  const code = randomBytes(24).toString("base64url");
  await redis.set(keys.signInCode(hashOf(code)), "1", "PX", signInCodeMs);
  return code;
}

/** Returns whether the code was valid, and consumes it. If the reply of Redis is lost, the code is lost as well. */
export async function takeSignInCode(redis: RedisClient, code: string): Promise<boolean> {
  return /^[A-Za-z0-9_-]{32}$/.test(code) && (await redis.getdel(keys.signInCode(hashOf(code)))) !== null;
}

function hashOf(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}
