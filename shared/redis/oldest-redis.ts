import type { InfoFields } from "./info-fields.js";

/** First version with all commands that we use (deploy/docs/redis.md, "What is refused"). */
export const oldestRedis = "6.2";

/** Returns the server's own name and version. */
export function nameOfServer(info: InfoFields): string {
  const valkey = info["valkey_version"];
  return valkey === undefined ? `Redis ${info["redis_version"] ?? ""}` : `Valkey ${valkey}`;
}

/** Returns false if the version is unknown. Valkey also reports the Redis version that it corresponds to. */
export function isTooOld(info: InfoFields): boolean {
  const [major, minor = 0] = (info["redis_version"] ?? "").split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldestRedis.split(".").map(Number);
  return major !== undefined && major > 0 && (major < oldestMajor || (major === oldestMajor && minor < oldestMinor));
}
