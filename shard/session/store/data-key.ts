import type { SessionKey } from "../../../shared/session/session-key.js";

/** The key that seals what one session stores, unwrapped once and kept for as long as its owner lives. */
export class DataKey {
  private opened: Promise<SessionKey> | undefined;

  /** `unwrap` reads and opens the stored form. */
  constructor(
    private readonly unwrap: () => Promise<SessionKey>,
    known?: SessionKey,
  ) {
    if (known !== undefined) this.opened = Promise.resolve(known);
  }

  /** Rejects while Redis is away, and for a session that is gone (`SessionGone`); the next caller asks again. */
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
