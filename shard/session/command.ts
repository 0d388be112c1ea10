import type { ApiError } from "../../shared/contract/api-error.js";
import type { Ending } from "../../shared/flow/ending.js";
import type { Log } from "../../shared/log/logger.js";
import type { CommandName, Input, Output } from "../../shared/contract/commands.js";
import type { Platform } from "../../shared/contract/platform.js";

/** One command as its shard runs it. */
export interface Command<P extends Platform, C extends CommandName<P>, Session> {
  readonly accepts: (input: unknown) => input is Input<P, C>;
  readonly run: (session: Session, input: Input<P, C>, call: CommandCall) => Promise<Output<P, C>>;
  /** Set if this process cannot run the command for any session. */
  readonly refusal?: () => ApiError;
}
export type Commands<P extends Platform, Session> = { readonly [C in CommandName<P>]: Command<P, C, Session> };

/**
 * Call data of a running command. `id` derives platform ids, `signal` aborts at the deadline or with the slot. `yieldLane` lets the
 * session's next command begin while this one waits. `log` adds the request's id to each line.
 */
export interface CommandCall {
  readonly id: string;
  readonly signal: AbortSignal;
  /** The same end as `signal`, which costs 25 us when it is first read. */
  readonly ending: Ending;
  readonly yieldLane: () => void;
  /** Known to be the first one with this `id`. */
  readonly isFirstTry?: boolean;
  /** An owner died over it, or lost it, after it had begun: it may have been sent. */
  readonly isRepeat?: boolean;
  /** Id of the HTTP request that it serves, if its router sends one. */
  readonly requestId?: string | undefined;
  readonly log: Log;
}
