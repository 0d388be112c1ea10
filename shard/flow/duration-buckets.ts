/** Buckets in seconds, for durations from a millisecond to some minutes. */
export const durationBuckets = [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 240];
