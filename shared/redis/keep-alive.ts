import { Cluster, type Redis } from "ioredis";
import { every } from "../flow/every.js";
import { within } from "../flow/within.js";
import { channels } from "./keys.js";

/** Half of what may pass before a connection without answers is closed, so that a lost one is replaced within 8 s. */
const everyMs = 3_000;

/**
 * Asks Redis something every 3 s on a connection that otherwise only listens, until the client ends. A connection that does not answer within `silenceMs` is closed and
 * replaced: a firewall that has forgotten the flow drops its packets, and the kernel would wait for 15 minutes.
 */
export function keepAlive(redis: Redis | Cluster, silenceMs: number): void {
  let isWaiting = false;
  const look = async (): Promise<void> => {
    if (isWaiting || redis.status !== "ready") return;
    isWaiting = true;
    try {
      await within(ping(redis), silenceMs, () => {
        if (redis.status === "ready") redis.disconnect(true);
        return new Error("no answer to a ping");
      });
    } catch {
      // The connection is being replaced, and says why by itself.
    } finally {
      isWaiting = false;
    }
  };
  const timer = every(everyMs, () => look()).unref();
  redis.once("end", () => clearInterval(timer));
}

/** The client of a cluster pings one of its nodes; only a subscription reaches the connection that listens. */
async function ping(redis: Redis | Cluster): Promise<unknown> {
  return await (redis instanceof Cluster ? redis.subscribe(channels.slots) : redis.ping());
}
