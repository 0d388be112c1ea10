import type { InfoFields } from "./info-fields.js";

/** From this one on Redis has all commands that we use (deploy/docs/redis.md, "What is refused"). */
export const oldestRedis = "6.2";

/** As the server calls itself. */
export function nameOfServer(info: InfoFields): string {
  const valkey = info["valkey_version"];
  return valkey === undefined ? `Redis ${info["redis_version"] ?? ""}` : `Valkey ${valkey}`;
}

/** False where it does not say. Valkey says beside its own which version of Redis it stands for. */
export function isTooOld(info: InfoFields): boolean {
  const [major, minor = 0] = (info["redis_version"] ?? "").split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldestRedis.split(".").map(Number);
  return major !== undefined && major > 0 && (major < oldestMajor || (major === oldestMajor && minor < oldestMinor));
}
