/**
 * Stored data of a session cannot be opened: its key is missing or the data was altered. The data is kept,
 * as the right key may open it, and no timer may delete it. The message contains no stored data.
 */
export class UnreadableRecord extends Error {
  override readonly name = "UnreadableRecord";

  /** `part`: part of the record, such as `credentials`. */
  constructor(
    readonly part: string,
    cause?: unknown,
  ) {
    super(`stored ${part} cannot be opened`, { cause });
  }
}

/** Returns the result of `open`, or throws `UnreadableRecord` for `part` if it fails. */
export function openRecord<T>(part: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    throw new UnreadableRecord(part, error);
  }
}
