/** Spans of this process: recorded ones that ended, and what became of them. What is in none of the last two waits, or found the queue full and was dropped. */
export const spanCounts = { ended: 0, exported: 0, failed: 0 };
