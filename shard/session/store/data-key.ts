import type { SessionKey } from "../../../shared/session/session-key.js";

/** The key that seals one session's stored parts. It is unwrapped once and kept while its owner lives. */
export class DataKey {
  private opened: Promise<SessionKey> | undefined;

  /** `unwrap` reads and opens the stored form. */
  constructor(
    private readonly unwrap: () => Promise<SessionKey>,
    loaded?: SessionKey,
  ) {
    if (loaded !== undefined) this.opened = Promise.resolve(loaded);
  }

  /** Rejects while Redis is away, and with `SessionGone` for a deleted session. The next caller retries. */
  get(): Promise<SessionKey> {
    this.opened ??= this.unwrap().catch((error: unknown) => {
      this.opened = undefined;
      throw error;
    });
    return this.opened;
  }
}

export class SessionGone extends Error {
  override readonly name = "SessionGone";

  constructor() {
    super("session is gone");
  }
}
