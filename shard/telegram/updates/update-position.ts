import typia from "typia";

/**
 * How far an account's updates were taken in. `pts` counts what happens to messages, `qts` what happens to secret chats, `seq` containers, `date` is
 * the platform's clock in Unix seconds. They belong to the account, not to a connection: any later owner goes on from here.
 */
export interface UpdatePosition {
  /** Id of the account: another one's numbers mean nothing here. */
  readonly user: string;
  readonly pts: number;
  readonly qts: number;
  readonly date: number;
  readonly seq: number;
  /** Id of the newest message that was seen; ids of private chats and basic groups are one sequence. */
  readonly newest: number;
}

/** The text that the host keeps: it is written with each message, so names of fields are left out. */
export function buildCursor(position: UpdatePosition): string {
  const { user, pts, qts, date, seq, newest } = position;
  return JSON.stringify([user, pts, qts, date, seq, newest] satisfies StoredPosition);
}

/** `undefined` for what this version cannot read. */
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
