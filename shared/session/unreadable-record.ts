/**
 * What is stored of a session cannot be opened: its key is not in this deployment's ring, or it was altered. It stays as it is, because with the right key it may open,
 * and nothing that runs on a clock may take it for a login that is over. The message never holds what was stored.
 */
export class UnreadableRecord extends Error {
  override readonly name = "UnreadableRecord";

  /** `part`: what of the record, such as `credentials`. */
  constructor(
    readonly part: string,
    cause?: unknown,
  ) {
    super(`stored ${part} cannot be opened`, { cause });
  }
}

/** What `open` gives; its failure is that of the stored `part`. */
export function openRecord<T>(part: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    throw new UnreadableRecord(part, error);
  }
}
