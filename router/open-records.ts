import type { Opened } from "../shared/process/lifecycle.js";
import type { RouterContext } from "./context.js";
import { OpenedRecords } from "./sessions/opened-records.js";
import { watchRecords } from "./sessions/record-gauges.js";
import { SessionRecords } from "./sessions/session-records.js";
import { TrackedServers } from "./bus/redis/tracked-servers.js";

/** Session records in this process's memory, kept current by notices of Redis. */
export interface Records extends Opened {
  readonly feed: TrackedServers;
  readonly records: SessionRecords;
}

export function openRecords({ settings, ring, redis, registry, metrics, log }: RouterContext): Records {
  const { writer } = redis;
  const feed = new TrackedServers({ redis: writer, address: settings.redis.coordination, log });
  const opened = new OpenedRecords(ring, metrics);
  const records = new SessionRecords({ feed, redis: writer, opened, metrics });
  watchRecords(registry, { opened, records });
  return { feed, records, lifecycle: [["tracked reads", feed]] };
}
