import type { Command } from "commander";
import { GatewayClient } from "./gateway/gateway-client.js";
import { Screen, wantsColor, type Out } from "./output/screen.js";
import { addressOf, type Environment, type GlobalOptions } from "./settings.js";

/** Environment and streams of one run. */
export interface Surroundings {
  readonly environment: Environment;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: Out;
  readonly stderr: Out;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** Everything that a running command needs. Created after its options are parsed. */
export class Cli {
  readonly screen: Screen;
  private connected: GatewayClient | undefined;

  constructor(
    readonly options: GlobalOptions,
    readonly surroundings: Surroundings,
  ) {
    const { environment, stdout, stderr } = surroundings;
    this.screen = new Screen(stdout, stderr, options.json === true, options.color && wantsColor(environment, stdout));
  }

  /** Client for the gateway that the options, the environment or this machine's data folder name. */
  get client(): GatewayClient {
    const { environment, signal } = this.surroundings;
    this.connected ??= new GatewayClient(addressOf(this.options, environment), signal);
    return this.connected;
  }

  get signal(): AbortSignal {
    return this.surroundings.signal;
  }

  get environment(): Environment {
    return this.surroundings.environment;
  }

  now(): number {
    return Date.now();
  }
}

/** Code of one command. It receives its arguments and options as commander parsed them. */
export type Action<Args extends unknown[]> = (cli: Cli, ...args: Args) => Promise<void>;

/** Interface through which commands are added to the program; `run` passes each command its `Cli`. */
export interface Registry {
  readonly program: Command;
  readonly run: <Args extends unknown[]>(action: Action<Args>) => (...args: [...Args, Command]) => Promise<void>;
}
