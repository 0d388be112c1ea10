import { Cluster, type Redis } from "ioredis";
import { every } from "../flow/every.js";
import { within } from "../flow/within.js";
import { channels } from "./keys.js";

/** Interval of pings. A lost connection is replaced within 8 s. */
const everyMs = 3_000;

/**
 * Pings a connection that otherwise only receives, until the client ends. Replaces it without a reply within `silenceMs`, because a
 * firewall may drop its packets silently for 15 minutes.
 */
export function keepAlive(redis: Redis | Cluster, silenceMs: number): void {
  let isWaiting = false;
  const check = async (): Promise<void> => {
    if (isWaiting || redis.status !== "ready") return;
    isWaiting = true;
    try {
      await within(ping(redis), silenceMs, () => {
        if (redis.status === "ready") redis.disconnect(true);
        return new Error("no answer to a ping");
      });
    } catch {
      // The connection is being replaced and logs the reason itself.
    } finally {
      isWaiting = false;
    }
  };
  const timer = every(everyMs, () => check()).unref();
  redis.once("end", () => clearInterval(timer));
}

/** A cluster client pings any node. Only a subscription uses the connection that receives messages. */
async function ping(redis: Redis | Cluster): Promise<unknown> {
  return await (redis instanceof Cluster ? redis.subscribe(channels.slots) : redis.ping());
}
