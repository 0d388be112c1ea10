import { defaultClusterTiming } from "../../shared/cluster/cluster-timing.js";

/** The cluster's waits, as in production. */
export const timing = defaultClusterTiming;

// Waits that the product's classes do not export (ms). Exported ones are imported where they are used.

/** Same as `noticeGapMs` of `member-watch.ts`. */
export const noticeGapMs = 100;
/** Same as `roundPolls` of `member-watch.ts`. */
export const roundPolls = 120;
/** After this silence Telegram drops a connection (`shard/README.md`, "Settle gaps"). */
export const dropMs = 45_000;
/** Same as `replyGraceMs` of `command-client.ts` and `replies.ts`, and `streamLostMs` of `replies.ts`. */
export const replyGraceMs = 2_000;
export const streamLostMs = 12_000;
/** Same as `sentToMs` of `slot-owners.ts`. */
export const sentToMs = 5_000;
/** Same as `reconnectPollMs` of `recorded-run.ts`. */
export const reconnectLookMs = 250;
/** Same as `sampleMs` of `redis-clock.ts`. */
export const clockSampleMs = 10_000;
/** Same as `commandTimeout` of a heartbeat's connection. */
export const heartbeatTimeoutMs = 2_000;
