/** Mechanisms that keep the promises of the cluster. The model must pass with all of them, and fail when any one is missing. */
export interface Guards {
  /**
   * Scripts compare the slot's token before they write. See `begin.lua`, `finish.lua`, `write-state.lua`, `slot-states.lua`,
   * `settled.lua`.
   */
  readonly fence: boolean;
  /** A new owner waits before it connects (`shard/cluster/settle-gap.ts`). */
  readonly settleGap: boolean;
  /** `begin.lua` stores that a command has begun. */
  readonly beginRecord: boolean;
  /** Scripts distinguish two lives of one member name (`acquire.lua`, `bury.lua`, `heartbeat.lua`). */
  readonly incarnation: boolean;
  /** `begin.lua` recognizes a repeat of the same run by its claim. */
  readonly claim: boolean;
  /** A resent command says that an earlier try without a record had begun (`router/bus/try-envelope.ts`). */
  readonly begunInResend: boolean;
}

export type Guard = keyof Guards;

export const allGuards: Guards = {
  fence: true,
  settleGap: true,
  beginRecord: true,
  incarnation: true,
  claim: true,
  begunInResend: true,
};

export const guardNames: readonly Guard[] = ["fence", "settleGap", "beginRecord", "incarnation", "claim", "begunInResend"];

export function without(guard: Guard): Guards {
  return { ...allGuards, [guard]: false };
}
