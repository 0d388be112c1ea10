import typia from "typia";

/**
 * Position of an account in its updates. `pts` counts message changes, `qts` secret chats, `seq` containers; `date` is in Unix seconds. It
 * belongs to the account, not to a connection, so any later owner continues here.
 */
export interface UpdatePosition {
  /** Id of the account. The counts of another account do not apply. */
  readonly user: string;
  readonly pts: number;
  readonly qts: number;
  readonly date: number;
  readonly seq: number;
  /** Id of the newest message seen. Private chats and basic groups share one id sequence. */
  readonly newest: number;
}

/** Returns the stored form of a position. It is written with each message, so it omits field names. */
export function buildCursor(position: UpdatePosition): string {
  const { user, pts, qts, date, seq, newest } = position;
  return JSON.stringify([user, pts, qts, date, seq, newest] satisfies StoredPosition);
}

/** Parses a stored position; `undefined` when this version cannot read it. */
export function parseCursor(text: string): UpdatePosition | undefined {
  try {
    const stored: unknown = JSON.parse(text);
    if (!isStored(stored)) return undefined;
    const [user, pts, qts, date, seq, newest] = stored;
    return { user, pts, qts, date, seq, newest };
  } catch {
    return undefined;
  }
}

type StoredPosition = [user: string, pts: number, qts: number, date: number, seq: number, newest: number];

const isStored = typia.createIs<StoredPosition>();
