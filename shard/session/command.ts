import type { Log } from "../../shared/log/logger.js";
import type { CommandName, Input, Output } from "../../shared/contract/commands.js";
import type { Platform } from "../../shared/contract/platform.js";

/** One command as its shard runs it. */
export interface Command<P extends Platform, C extends CommandName<P>, Session> {
  readonly accepts: (input: unknown) => input is Input<P, C>;
  readonly run: (session: Session, input: Input<P, C>, call: CommandCall) => Promise<Output<P, C>>;
}
export type Commands<P extends Platform, Session> = { readonly [C in CommandName<P>]: Command<P, C, Session> };

/**
 * What a running command knows of its call: `id` derives platform ids, `signal` ends with the deadline or the lost slot. `yieldLane` lets the session's
 * next command begin: for one that has done its part and only waits for an answer which is long in coming. Once is enough. `log`
 * is the session's; its lines name the request.
 */
export interface CommandCall {
  readonly id: string;
  readonly signal: AbortSignal;
  readonly yieldLane: () => void;
  /** Known to be the first one with this `id`. */
  readonly isFirstTry?: boolean;
  /** An owner died over it, or lost it, after it had begun: it may have been sent. */
  readonly isRepeat?: boolean;
  /** Of the HTTP request that it serves, where its router tells. */
  readonly requestId?: string | undefined;
  readonly log: Log;
}
