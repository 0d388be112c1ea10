import { ConfigError } from "../config/env.js";
import type { Log } from "../log/logger.js";
import type { RedisAddress } from "./address.js";
import { checkPair } from "./cache-owner.js";
import type { RedisClient } from "./connect.js";
import { infoFields, type InfoFields } from "./info-fields.js";
import { mastersOf } from "./topology.js";
import { UnfitServer } from "./unfit-server.js";
import { riskOfServer, wrongServer, type RedisServer } from "./wrong-server.js";

export interface CheckedServer {
  readonly server: RedisServer;
  readonly address: RedisAddress;
  readonly redis: RedisClient;
}

/** Rejects if a setting names an unsuitable Redis: with a `ConfigError` if a restart would not help, otherwise with an `UnfitServer`. */
export async function requireRightServers(servers: readonly CheckedServer[], log: Log): Promise<void> {
  const wrong = [];
  for (const { server, address, redis } of servers) {
    const setting = address.setting ?? "REDIS_URL";
    for (const info of await infosOf(redis)) {
      const found = wrongServer(info, address.kind, server);
      if (found !== undefined) wrong.push({ sentence: `${setting} ${found.why}`, mayPass: found.mayPass });
      const risk = riskOfServer(info, server);
      if (risk !== undefined) log.warn({ reason: `${setting} ${risk}` }, "redis configuration risks data loss");
    }
  }
  const pair = wrong.length === 0 ? await wrongPairOf(servers) : undefined;
  if (pair !== undefined) wrong.push(pair);
  const [first] = wrong;
  if (first === undefined) return;
  const sentences = [...new Set(wrong.map(({ sentence }) => sentence))];
  throw wrong.every(({ mayPass }) => mayPass) ? new UnfitServer(sentences.join("; ")) : new ConfigError(sentences);
}

async function wrongPairOf(servers: readonly CheckedServer[]): Promise<{ sentence: string; mayPass: boolean } | undefined> {
  const [coordination, cache] = (["coordination", "cache"] as const).map((name) => servers.find(({ server }) => server === name));
  if (coordination === undefined || cache === undefined || coordination.address === cache.address) return undefined;
  const found = await checkPair(coordination.redis, cache.redis);
  if (found === undefined) return undefined;
  const { address } = found.server === "cache" ? cache : coordination;
  return { sentence: `${address.setting ?? "REDIS_URL"} ${found.why}`, mayPass: found.mayPass };
}

/** Returns the INFO of each master; nothing where our user may not read it. */
async function infosOf(redis: RedisClient): Promise<InfoFields[]> {
  const infos = await Promise.allSettled(mastersOf(redis).map((master) => master.info()));
  return infos.flatMap((one) => (one.status === "fulfilled" ? [infoFields(one.value)] : []));
}
