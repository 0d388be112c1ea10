/**
 * Recorded spans of this process that ended, by result. Spans that were neither exported nor
 * failed are queued, or were dropped by a full queue.
 */
export const spanCounts = { ended: 0, exported: 0, failed: 0 };
