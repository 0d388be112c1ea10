/** Seconds: a stage of a command takes from a part of a millisecond to as long as its platform waits. */
export const stageBuckets: readonly number[] = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 5];
