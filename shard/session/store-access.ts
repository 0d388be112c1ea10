import { FencedError } from "../../shared/redis/script.js";
import { UnreadableRecord } from "../../shared/session/unreadable-record.js";
import { retryWhile } from "../redis/retry.js";
import type { Fence } from "./session-context.js";

export interface StoreAccessOptions {
  readonly fence: Fence;
  /** Called when a write was refused because the token is no longer the slot's. */
  readonly onFenced: () => void;
  readonly onUnreadable: (record: UnreadableRecord) => void;
}

/** Runs every read and write of a session's stored parts. Reports failures and rethrows them. */
export class StoreAccess {
  constructor(private readonly options: StoreAccessOptions) {}

  /**
   * Retries while the slot is ours, which without Redis is 17 s at most. Each call sets fixed values, so it may run twice; writers of the
   * same field wait for the write before.
   */
  withRetries<T>(call: () => Promise<T>): Promise<T> {
    return this.once(() => retryWhile(call, () => this.options.fence.holds()));
  }

  /** Runs `withRetries` for something sealed. */
  sealed<T>(call: () => Promise<T>): Promise<T> {
    return this.opening(() => this.withRetries(call));
  }

  /** Runs the call once, without retries. */
  async once<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      if (error instanceof FencedError) this.options.onFenced();
      throw error;
    }
  }

  /** Runs a call that opens something sealed. */
  async opening<T>(use: () => Promise<T>): Promise<T> {
    try {
      return await use();
    } catch (error) {
      if (error instanceof UnreadableRecord) this.options.onUnreadable(error);
      throw error;
    }
  }
}
