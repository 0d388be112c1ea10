import { existsSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import type { HostPort, RedisPlace } from "../../../shared/redis/address.js";
import { isListening } from "../../supervisor/unix-socket.js";
import type { StoredWhere } from "../redis-access.js";
import { fail, warn, type Finding } from "./finding.js";

const connectMs = 2_000;

export interface SilentRedisFacts {
  readonly where: StoredWhere;
  /** True if a gateway runs on the data folder. */
  readonly runs: boolean;
  /** Whether that gateway uses its private Redis; absent in versions before this field. */
  readonly privateRedis: boolean | undefined;
}

/** Returns the reason why Redis does not respond, as far as this machine can see. */
export async function examineSilentRedis({ where, runs, privateRedis }: SilentRedisFacts): Promise<Finding> {
  const frozen = "check whether its process is stopped, swapping or running a long script, and check its log";
  if (where.kind === "url")
    return (await accepts(where.address))
      ? fail("redis", "accepts connections at REDIS_URL but does not respond", frozen)
      : fail("redis", "does not respond at REDIS_URL", "start it, or correct REDIS_URL (host, port, user, password)");
  if (!runs)
    return warn(
      "redis",
      `the private Redis of ${where.dataDir} is not running, because the gateway is not running`,
      "start the gateway to check its Redis and its logins",
    );
  if (!(privateRedis ?? existsSync(join(where.dataDir, "redis"))))
    return warn(
      "redis",
      "the gateway uses a REDIS_URL that is not set in this shell",
      "set REDIS_URL or TRUNKLINE_REDIS_URL to check its Redis and its logins",
    );
  return (await isListening(where.socket))
    ? fail("redis", `accepts connections at ${where.socket} but does not respond`, frozen)
    : fail("redis", `is not running at ${where.socket}, but the gateway is`, `check ${join(where.dataDir, "redis", "redis.log")}`);
}

async function accepts(place: RedisPlace): Promise<boolean> {
  if (place.kind === "socket") return await isListening(place.path);
  const connects = await Promise.all(serversOf(place).map(takesConnections));
  return connects.includes(true);
}

function serversOf(place: Exclude<RedisPlace, { kind: "socket" }>): readonly HostPort[] {
  switch (place.kind) {
    case "server":
      return [place.server];
    case "sentinel":
      return place.sentinels;
    case "cluster":
      return place.nodes;
    default:
      return place satisfies never;
  }
}

function takesConnections({ host, port }: HostPort): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: connectMs });
    const end = (taken: boolean): void => {
      socket.destroy();
      resolve(taken);
    };
    socket.once("connect", () => end(true));
    socket.once("timeout", () => end(false));
    socket.once("error", () => end(false));
  });
}
