import type { Command } from "commander";
import { GatewayClient } from "./gateway/gateway-client.js";
import { Screen, wantsColor, type Out } from "./output/screen.js";
import { addressOf, type Environment, type GlobalOptions } from "./settings.js";

/** The outside of a run: what it is given, and where its words go. */
export interface Surroundings {
  readonly environment: Environment;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: Out;
  readonly stderr: Out;
  /** Ctrl-C. */
  readonly signal: AbortSignal;
}

/** What a command has at hand while it runs. Made when its options are known. */
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

  /** The gateway that options, environment or this machine name. */
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

/** A command's own part; it gets its arguments and options as commander has them. */
export type Action<Args extends unknown[]> = (cli: Cli, ...args: Args) => Promise<void>;

/** Hangs commands into the tree; `run` gives them their `Cli`. */
export interface Registry {
  readonly program: Command;
  readonly run: <Args extends unknown[]>(action: Action<Args>) => (...args: [...Args, Command]) => Promise<void>;
}
