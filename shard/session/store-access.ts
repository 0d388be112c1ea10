import { FencedError } from "../../shared/redis/script.js";
import { UnreadableRecord } from "../../shared/session/unreadable-record.js";
import { retryWhile } from "../redis/retry.js";
import type { Fence } from "./session-context.js";

export interface StoreAccessOptions {
  readonly fence: Fence;
  /** A write was refused: the token is not the slot's any more. */
  readonly onFenced: () => void;
  readonly onUnreadable: (record: UnreadableRecord) => void;
}

/** How a session reaches what is stored of it: what every read and write of it has in common. Failures are told and thrown on. */
export class StoreAccess {
  constructor(private readonly options: StoreAccessOptions) {}

  /**
   * A Redis that is away for some seconds costs no connection and no command: it is asked again for as long as the slot is ours, which without Redis is 17 s at
   * most; a command's own deadline ends its wait, not this. Every one of these writes sets what it is given, so it may be done twice, and none comes behind a
   * later one: whoever writes the same field waits for the write before.
   */
  patient<T>(call: () => Promise<T>): Promise<T> {
    return this.once(() => retryWhile(call, () => this.options.fence.holds()));
  }

  /** `patient`, of something sealed. */
  sealed<T>(call: () => Promise<T>): Promise<T> {
    return this.opening(() => this.patient(call));
  }

  /** Not repeated. */
  async once<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      if (error instanceof FencedError) this.options.onFenced();
      throw error;
    }
  }

  /** Opens something sealed. */
  async opening<T>(use: () => Promise<T>): Promise<T> {
    try {
      return await use();
    } catch (error) {
      if (error instanceof UnreadableRecord) this.options.onUnreadable(error);
      throw error;
    }
  }
}
