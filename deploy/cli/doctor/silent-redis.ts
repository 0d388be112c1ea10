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
  /** A gateway runs on the data folder. */
  readonly runs: boolean;
  /** What that gateway says of its Redis; absent in a version before this. */
  readonly privateRedis: boolean | undefined;
}

/** Why no Redis answers here, as far as this machine can tell. */
export async function examineSilentRedis({ where, runs, privateRedis }: SilentRedisFacts): Promise<Finding> {
  const frozen = "see whether its process is stopped, swaps or runs a long script, and look into its log";
  if (where.kind === "url")
    return (await accepts(where.address))
      ? fail("redis", "takes connections at REDIS_URL and does not answer", frozen)
      : fail("redis", "does not answer at REDIS_URL", "start it, or correct REDIS_URL: host, port, user, password");
  if (!runs)
    return warn(
      "redis",
      `the private one of ${where.dataDir} does not run, as the gateway does not`,
      "start the gateway to have its Redis and its logins examined",
    );
  if (!(privateRedis ?? existsSync(join(where.dataDir, "redis"))))
    return warn(
      "redis",
      "the gateway runs with a REDIS_URL that this shell does not have",
      "set REDIS_URL or TRUNKLINE_REDIS_URL here to have its Redis and its logins examined",
    );
  return (await isListening(where.socket))
    ? fail("redis", `takes connections at ${where.socket} and does not answer`, frozen)
    : fail("redis", `does not run at ${where.socket}, and the gateway does`, `look into ${join(where.dataDir, "redis", "redis.log")}`);
}

async function accepts(place: RedisPlace): Promise<boolean> {
  if (place.kind === "socket") return await isListening(place.path);
  const answers = await Promise.all(serversOf(place).map(takesConnections));
  return answers.includes(true);
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
