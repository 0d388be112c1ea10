import typia from "typia";

/** The part of a session's pace that outlives a process. Instants are in ms of the wall clock. */
export interface StoredPace {
  readonly sendsUntil: number;
  readonly newContactsUntil: number;
  /** Ids of the last counted commands, the newest last. */
  readonly counted: readonly string[];
}

export const parsePace = typia.json.createIsParse<StoredPace>();
