import type { SessionId } from "../contract/ids.js";

/** The key that seals what one session stores, unwrapped once and kept for as long as its owner lives. */
export class DataKey {
  private opened: Promise<Buffer> | undefined;

  /** `unwrap` reads and opens the stored form. */
  constructor(private readonly unwrap: () => Promise<Buffer>) {}

  /** Rejects while Redis is away, and for a session that is gone; the next caller asks again. */
  get(): Promise<Buffer> {
    this.opened ??= this.unwrap().catch((error: unknown) => {
      this.opened = undefined;
      throw error;
    });
    return this.opened;
  }
}

/** What its stored form is bound to. */
export const dataKeyContext = (id: SessionId): string => `v1|${id}|dk`;
