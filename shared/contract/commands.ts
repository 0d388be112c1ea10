import type { CommandFacts, CommandRow, InputOf, OutputOf } from "./command-row.js";
import type { Platform } from "./platform.js";
import { telegramEndpoints, telegramInternals } from "./telegram/commands.js";
import { whatsappEndpoints, whatsappInternals } from "./whatsapp/commands.js";

/** Every command, one row each. Routes, stream envelopes and shard handlers derive their types and facts from it. */
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

/** Returns the facts of a command that another process names; `undefined` when this version does not know it. */
export function findFacts(platform: Platform, command: string): CommandFacts | undefined {
  const rows: Readonly<Record<string, CommandFacts>> = facts[platform];
  return Object.hasOwn(rows, command) ? rows[command] : undefined;
}
