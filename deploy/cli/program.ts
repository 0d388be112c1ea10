import { Command, Option, type CommanderError } from "commander";
import { version } from "../../shared/process/version.js";
import { Cli, type Action, type Registry, type Surroundings } from "./cli.js";
import { registerAudit } from "./commands/audit.js";
import { registerBackup } from "./commands/backup.js";
import { registerCapacity } from "./commands/capacity.js";
import { registerCompletion } from "./commands/completion.js";
import { registerDeadLetters } from "./commands/dead-letters.js";
import { registerDoctor } from "./commands/doctor.js";
import { registerKeys } from "./commands/key.js";
import { registerLiveCheck } from "./commands/live-check.js";
import { registerLogin } from "./commands/login.js";
import { registerMembers } from "./commands/members.js";
import { registerRestore } from "./commands/restore.js";
import { registerRotateKeys } from "./commands/rotate-keys.js";
import { registerSend } from "./commands/send.js";
import { registerSessions } from "./commands/session.js";
import { registerStart } from "./commands/start.js";
import { registerStatus } from "./commands/status.js";
import { registerStory } from "./commands/story.js";
import { registerTail } from "./commands/tail.js";
import { registerTenants } from "./commands/tenant.js";
import { exitCodes, type ExitCode } from "./exit-code.js";
import type { GlobalOptions } from "./settings.js";

/** In the order in which `--help` shows them. */
const registrations: ((registry: Registry) => void)[] = [
  registerStart,
  registerDoctor,
  registerStatus,
  registerLogin,
  registerSend,
  registerStory,
  registerSessions,
  registerTail,
  registerMembers,
  registerCapacity,
  registerTenants,
  registerKeys,
  registerDeadLetters,
  registerAudit,
  registerRotateKeys,
  registerBackup,
  registerRestore,
  registerLiveCheck,
  registerCompletion,
];

/** The tree of commands. Nothing is read and nobody asked before one of them runs. */
export function createProgram(surroundings: Surroundings): Command {
  const program = new Command("trunkline");
  program
    .description("Operates a Trunkline gateway: sessions, messages, members, tenants, keys, backups.")
    .version(version, "-V, --version")
    .addOption(new Option("--url <address>", "where the gateway is (TRUNKLINE_URL; else the one that runs here)"))
    .addOption(new Option("--key-file <file>", "file with the API key (TRUNKLINE_KEY, TRUNKLINE_KEY_FILE; else the one of this machine)"))
    .addOption(new Option("--data-dir <folder>", "data folder of npm start (DATA_DIR; else .data)"))
    .addOption(new Option("--json", "JSON instead of words: one document, or a line for each of a stream"))
    .addOption(new Option("--no-color", "no colours (NO_COLOR)"))
    .showSuggestionAfterError()
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError("(--help shows what there is)")
    .configureOutput({
      writeOut: (text) => void surroundings.stdout.write(text),
      writeErr: (text) => void surroundings.stderr.write(text),
      ...(surroundings.stdout.columns === undefined ? {} : { getOutHelpWidth: () => surroundings.stdout.columns ?? 80 }),
    })
    .addHelpText(
      "after",
      `\nA first message on the sandbox: trunkline login telegram --sandbox-scan alice; trunkline send --session alice --to @bob_sandbox --text Hello`,
    );
  const registry: Registry = {
    program,
    run:
      <Args extends unknown[]>(action: Action<Args>) =>
      async (...args: [...Args, Command]) => {
        const own = args.slice(0, -1) as Args; // The last one is the command itself.
        await action(new Cli(program.opts<GlobalOptions>(), surroundings), ...own);
      },
  };
  for (const register of registrations) register(registry);
  return program;
}

/** What commander ended with: help and version are what was asked for. */
export function exitCodeOfParser(error: CommanderError): ExitCode {
  return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
}
