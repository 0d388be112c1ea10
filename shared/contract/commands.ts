import type { CommandFacts, CommandRow, InputOf, OutputOf } from "./command-row.js";
import type { Platform } from "./platform.js";
import { telegramEndpoints, telegramInternals } from "./telegram/commands.js";
import { whatsappEndpoints, whatsappInternals } from "./whatsapp/commands.js";

/** Every command, one row each: routes, stream envelopes and shard handlers derive their types and their facts from here. */
export const commandRows = {
  whatsapp: { ...whatsappEndpoints, ...whatsappInternals },
  telegram: { ...telegramEndpoints, ...telegramInternals },
} satisfies Readonly<Record<Platform, Readonly<Record<string, CommandRow>>>>;

interface EndpointRows {
  whatsapp: typeof whatsappEndpoints;
  telegram: typeof telegramEndpoints;
}
type Rows = typeof commandRows;

export type CommandName<P extends Platform> = keyof Rows[P] & string;
export type EndpointName<P extends Platform> = keyof EndpointRows[P] & CommandName<P>;
export type Input<P extends Platform, C extends CommandName<P>> = InputOf<Rows[P][C]>;
export type Output<P extends Platform, C extends CommandName<P>> = OutputOf<Rows[P][C]>;

const facts: { readonly [P in Platform]: { readonly [C in CommandName<P>]: CommandFacts } } = commandRows;

export function factsOf<P extends Platform>(platform: P, command: CommandName<P>): CommandFacts {
  return facts[platform][command];
}

/** One command as its shard runs it. */
export interface Command<P extends Platform, C extends CommandName<P>, Session> {
  readonly accepts: (input: unknown) => input is Input<P, C>;
  readonly run: (session: Session, input: Input<P, C>, call: CommandCall) => Promise<Output<P, C>>;
}
export type Commands<P extends Platform, Session> = { readonly [C in CommandName<P>]: Command<P, C, Session> };

/**
 * What a running command knows of its call: `id` derives platform ids, `signal` ends with the deadline or the lost slot. `yieldLane` lets the session's
 * next command begin: for one that has done its part and only waits for an answer which is long in coming. Once is enough.
 */
export interface CommandCall {
  readonly id: string;
  readonly signal: AbortSignal;
  readonly yieldLane: () => void;
}
