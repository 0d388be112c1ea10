/** What the product's classes keep to themselves, ms. What it exports is imported where it is used. */

/** `pollMs` of `member-watch.ts` and `slot-keeper.ts`, `lookMs` of `reply-stream.ts`, `watchMs` of `owner-follower.ts`. */
export const pollMs = 1_000;
/** `noticeGapMs` of `member-watch.ts`. */
export const noticeGapMs = 100;
/** `roundPolls` of `member-watch.ts`. */
export const roundPolls = 120;
/** `stableMsDefault` and `quietMsDefault` of `slot-keeper.ts`. */
export const stableMs = 5_000;
export const quietMs = 1_000;
/** After so long Telegram has dropped a connection that fell silent (`shard/README.md`, "Settle gaps"). */
export const dropMs = 45_000;
/** `everyMs` of `lost-calls.ts`. */
export const lostCallsMs = 2_000;
/** `replyGraceMs` of `command-client.ts` and `replies.ts`, and `streamLostMs` of `replies.ts`. */
export const replyGraceMs = 2_000;
export const streamLostMs = 12_000;
/** `sentToMs` of `slot-owners.ts`. */
export const sentToMs = 5_000;
/** `connectWaitMs` of `session-finder.ts`, `reconnectLookMs` of `recorded-run.ts`. */
export const connectWaitMs = 10_000;
export const reconnectLookMs = 250;
/** `drainReadMs` and `drainSendMs` of `in-flight.ts`. */
export const drainReadMs = 5_000;
export const drainSendMs = 30_000;
/** `sampleMs` of `redis-clock.ts`. */
export const clockSampleMs = 10_000;
/** `commandTimeout` of a heartbeat's connection. */
export const heartbeatTimeoutMs = 2_000;
