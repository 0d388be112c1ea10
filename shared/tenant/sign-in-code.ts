import { createHash, randomBytes } from "node:crypto";
import type { RedisClient } from "../redis/connect.js";
import { keys } from "../redis/keys.js";

/** Long enough to read the terminal, short enough that a scrollback found later opens nothing. */
export const signInCodeMs = 15 * 60_000;

/** Makes a code of 192 random bits that signs in once. Redis holds its hash alone, so that whoever reads Redis has no code. */
export async function makeSignInCode(redis: RedisClient): Promise<string> {
  const code = randomBytes(24).toString("base64url");
  await redis.set(keys.signInCode(hashOf(code)), "1", "PX", signInCodeMs);
  return code;
}

/** Returns whether the code is valid, and uses it up. If the reply of Redis is lost, the code is used up too. */
export async function takeSignInCode(redis: RedisClient, code: string): Promise<boolean> {
  return /^[A-Za-z0-9_-]{32}$/.test(code) && (await redis.getdel(keys.signInCode(hashOf(code)))) !== null;
}

function hashOf(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}
