import type { TelegramEndpoints, TelegramInternals } from "./telegram/commands.js";
import type { WhatsAppEndpoints, WhatsAppInternals } from "./whatsapp/commands.js";
import type { Platform } from "./platform.js";

/** The one map from which routes, stream envelopes and shard handlers derive their types. */
export interface EndpointContract {
  whatsapp: WhatsAppEndpoints;
  telegram: TelegramEndpoints;
}
export interface Contract {
  whatsapp: WhatsAppEndpoints & WhatsAppInternals;
  telegram: TelegramEndpoints & TelegramInternals;
}

export type CommandName<P extends Platform> = keyof Contract[P] & string;
export type EndpointName<P extends Platform> = keyof EndpointContract[P] & CommandName<P>;
export type Input<P extends Platform, C extends CommandName<P>> = Contract[P][C] extends { input: infer I } ? I : never;
export type Output<P extends Platform, C extends CommandName<P>> = Contract[P][C] extends { output: infer O } ? O : never;

/**
 * How a command may be repeated (reliability sheet 2.5):
 * `read` freely until its deadline; `send` to the platform under one fixed id; `once` never, an unknown outcome is an error.
 */
export type CommandClass = "read" | "send" | "once";

/** One command as its shard runs it. */
export interface Command<P extends Platform, C extends CommandName<P>, Session> {
  readonly accepts: (input: unknown) => input is Input<P, C>;
  readonly run: (session: Session, input: Input<P, C>, call: CommandCall) => Promise<Output<P, C>>;
}
export type Commands<P extends Platform, Session> = { readonly [C in CommandName<P>]: Command<P, C, Session> };

/**
 * What a running command knows of its call: `id` derives platform ids, `signal` ends with the deadline or the lost slot. `letPass` lets the session's
 * next command begin: for one that has done its part and only waits for an answer which is long in coming. Once is enough.
 */
export interface CommandCall {
  readonly id: string;
  readonly signal: AbortSignal;
  readonly letPass: () => void;
}

export interface CommandPolicy {
  readonly class: CommandClass;
  /** Milliseconds from enqueue; a shard drops an older entry unexecuted. */
  readonly deadlineMs: number;
  /** True when the session must be connected: checked by the shard after the body was validated by the router. */
  readonly needsConnection: boolean;
  /** True when the input holds a secret: it is encrypted between router and shard (checklist S10). */
  readonly sealed?: true;
}
