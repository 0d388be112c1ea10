import typia from "typia";

/** What outlives a process of the pace of one session. Instants in ms of the wall clock. */
export interface StoredPace {
  readonly sendsUntil: number;
  readonly newContactsUntil: number;
  /** Ids of the last commands that were counted, the newest last. */
  readonly counted: readonly string[];
}

export const parsePace = typia.json.createIsParse<StoredPace>();
