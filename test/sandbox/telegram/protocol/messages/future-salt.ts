export interface FutureSalt {
  readonly salt: bigint;
  /** Unix seconds. */
  readonly validSince: number;
  readonly validUntil: number;
}
