import { OpenedRecords } from "../../../../router/sessions/opened-records.js";
import { SessionRecords } from "../../../../router/sessions/session-records.js";
import type { RedisClient } from "../../../../shared/redis/connect.js";
import { testRing } from "../../../harness/owned-session.js";

/** Returns records whose reads Redis does not track. */
export function untracked(redis: RedisClient): SessionRecords {
  return new SessionRecords({
    feed: { at: () => undefined, onKeys: () => undefined, onLost: () => undefined },
    redis,
    opened: new OpenedRecords(testRing),
  });
}
