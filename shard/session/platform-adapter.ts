import type { ApiError } from "../../shared/contract/api-error.js";
import type { CommandName, Input, Output } from "../../shared/contract/commands.js";
import type { Command, CommandCall, Commands } from "./command.js";
import type { Platform } from "../../shared/contract/platform.js";
import type { CommandTable } from "./command-table.js";
import type { ConnectionEnd } from "./connection-end.js";
import type { Connector } from "./connector.js";
import type { RefusalKind } from "./refusal.js";
import type { Session } from "./session.js";
import type { ConnectorContext } from "./session-context.js";

/** A platform as the platform-neutral parts of the shard use it. */
export interface AnyPlatform {
  open(context: ConnectorContext): Connector;
  /** Commands by name. The compiler has checked each row against the contract (see `PlatformAdapter`). */
  readonly commands: CommandTable;
  /**
   * Milliseconds after a silent owner was declared dead until its sessions connect elsewhere: by then the platform has dropped its
   * connections. A login used from two places at once may be lost.
   */
  readonly dropMs: number;
  /** Work that runs beside the sessions of a process. */
  readonly background?: { start(): void; stop(): Promise<void> };
  /** Returns what the platform meant by the error that a command ended with, or `undefined` if the platform refused nothing. */
  refusalOf(error: unknown): RefusalKind | undefined;
  /** Counts how connections ended. */
  onConnectionEnd(kind: ConnectionEnd["kind"]): void;
}

/** A platform whose rows fit the contract. */
export interface PlatformAdapter<P extends Platform, C extends Connector> extends AnyPlatform {
  open(context: ConnectorContext): C;
  readonly commands: Commands<P, Session<C>>;
}

/** Every platform of this process. A missing platform does not compile. */
export type PlatformRegistry<Name extends string = Platform> = Readonly<Record<Name, AnyPlatform>>;

/** Returns the rows with these commands refused before their session is found or created. */
export function refusing<P extends Platform, S>(
  rows: Commands<P, S>,
  names: readonly CommandName<P>[],
  refusal: () => ApiError,
): Commands<P, S> {
  return { ...rows, ...Object.fromEntries(names.map((name) => [name, { ...rows[name], refusal }])) };
}

/**
 * Makes the rows of a platform's table. `explain` turns an error of the connector into the caller's error, and returns unknown errors
 * unchanged.
 */
export function rowsOf<P extends Platform, C extends Connector>(explain: (error: unknown, connector: C) => unknown) {
  /** Makes a command that uses the session. */
  const onSession = <N extends CommandName<P>>(
    accepts: (input: unknown) => input is Input<P, N>,
    run: (session: Session<C>, input: Input<P, N>, call: CommandCall) => Promise<Output<P, N>>,
  ): Command<P, N, Session<C>> => ({
    accepts,
    run: async (session, input, call) => {
      try {
        return await run(session, input, call);
      } catch (error) {
        throw explain(error, session.connector);
      }
    },
  });
  /** Makes a command that uses only the platform's connector. */
  const onWire = <N extends CommandName<P>>(
    accepts: (input: unknown) => input is Input<P, N>,
    run: (connector: C, input: Input<P, N>, call: CommandCall) => Promise<Output<P, N>>,
  ): Command<P, N, Session<C>> => onSession(accepts, ({ connector }, input, call) => run(connector, input, call));
  return { onSession, onWire };
}
