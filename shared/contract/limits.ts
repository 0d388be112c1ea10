import type { Count, Instant } from "./plain-values.js";

/** What the platform and the tenant let the account of a session do now. */
export interface SessionLimits {
  /** True while the platform lets the account write only to people who have written to it. Groups and channels are not affected. */
  restricted: boolean;
  /** When the restriction ends, as far as the platform named it. Empty without a restriction. */
  until: Instant | "";
  /** Why the platform restricts the account, in words. Empty without a restriction. */
  reason: string;
  /** New chats of the account, as the platform counts them. */
  newChats: NewChatLimit;
  /** The tenant's limits for sending messages, as they apply to this session now. */
  pace: PaceLimit;
}

export interface NewChatLimit {
  /** New chats in the current period. `null` if unknown. Telegram does not report it. */
  used: Count | null;
  /** New chats that the platform allows in a period. `null` if unknown. */
  cap: Count | null;
  /** End of the current period. Empty if unknown. */
  resets: Instant | "";
}

export interface PaceLimit {
  /** Messages per minute. Below 1 while the account warms up. 0: no limit. */
  sendsPerMinute: number;
  /** Messages that can be sent at once after a rest. 0: no limit. */
  sendsBurst: Count;
  /** Messages of the burst that are used up. */
  sendsUsed: Count;
  /** First messages per hour to people without earlier messages. 0: no limit. */
  newContactsPerHour: number;
  /** First messages that can be sent at once after a rest. 0: no limit. */
  newContactsBurst: Count;
  /** First messages of the burst that are used up. */
  newContactsUsed: Count;
  /** The warm-up of a young account. `null` without a warm-up, or when it is over. */
  warmUp: WarmUpLimit | null;
}

export interface WarmUpLimit {
  /** Current day, 1 on the first day after linking. */
  day: Count;
  /** Days of the warm-up. */
  days: Count;
  /** Messages on the current day, at an even pace. */
  perDay: Count;
}
