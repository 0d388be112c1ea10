import { Command, Option, type CommanderError } from "commander";
import { version } from "../../shared/process/version.js";
import { Cli, type Action, type Registry, type Surroundings } from "./cli.js";
import { registerAudit } from "./commands/audit.js";
import { registerBackup } from "./commands/backup.js";
import { registerCapacity } from "./commands/capacity.js";
import { registerChats } from "./commands/chat.js";
import { registerCompletion } from "./commands/completion.js";
import { registerDeadLetters } from "./commands/dead-letters.js";
import { registerDoctor } from "./commands/doctor.js";
import { registerKeys } from "./commands/key.js";
import { registerLiveCheck } from "./commands/live-check.js";
import { registerLogin } from "./commands/login.js";
import { registerMembers } from "./commands/members.js";
import { registerMessages } from "./commands/message.js";
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
import { registerWebhook } from "./commands/webhook.js";
import type { GlobalOptions } from "./settings.js";
import { examples } from "./examples.js";

/** Groups and commands in the order in which `--help` lists them. */
const groups: Readonly<Record<string, readonly ((registry: Registry) => void)[]>> = {
  "Gateway:": [registerStart, registerStatus, registerDoctor, registerTail, registerCapacity],
  "Sessions and messages:": [
    registerLogin,
    registerSend,
    registerMessages,
    registerChats,
    registerStory,
    registerSessions,
    registerWebhook,
    registerDeadLetters,
  ],
  "Cluster:": [registerMembers, registerRotateKeys, registerBackup, registerRestore],
  "Access:": [registerTenants, registerKeys, registerAudit],
  "Tools:": [registerLiveCheck, registerCompletion],
};

/** Returns the tree of commands. It reads nothing and contacts no server until a command runs. */
export function createProgram(surroundings: Surroundings): Command {
  const program = new Command("trunkline");
  program
    .description("Operate a Trunkline gateway.")
    .version(version, "-V, --version", "Show the version")
    .helpOption("-h, --help", "Show help")
    .helpCommand("help [command]", "Show help for a command")
    .optionsGroup("Global options:")
    .addOption(new Option("--url <address>", "Gateway URL (env TRUNKLINE_URL; default: the local gateway)"))
    .addOption(
      new Option("--key-file <file>", "File with the API key (env TRUNKLINE_KEY or TRUNKLINE_KEY_FILE; default: the local gateway's key)"),
    )
    .addOption(new Option("--data-dir <folder>", "Data folder of npm start (env DATA_DIR; default: .data)"))
    .addOption(new Option("--json", "Output JSON (JSON Lines for lists and streams)"))
    .addOption(new Option("--no-color", "Disable colors (env NO_COLOR)"))
    .showSuggestionAfterError()
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError("Run with --help for usage.")
    .configureOutput({
      writeOut: (text) => void surroundings.stdout.write(text),
      writeErr: (text) => void surroundings.stderr.write(text),
      ...(surroundings.stdout.columns === undefined ? {} : { getOutHelpWidth: () => surroundings.stdout.columns ?? 80 }),
    })
    .addHelpText(
      "after",
      examples(
        "login telegram --label alice --sandbox-scan alice    # sandbox only",
        "send --session alice --to @bob_sandbox --text Hello",
      ),
    );
  const registry: Registry = {
    program,
    run:
      <Args extends unknown[]>(action: Action<Args>) =>
      async (...args: [...Args, Command]) => {
        const own = args.slice(0, -1) as Args; // The last argument is the command itself.
        await action(new Cli(program.opts<GlobalOptions>(), surroundings), ...own);
      },
  };
  for (const [heading, registrations] of Object.entries(groups)) {
    program.commandsGroup(heading);
    for (const register of registrations) register(registry);
  }
  return program;
}

/** Maps commander's exit code; showing help or the version is a success. */
export function exitCodeOfParser(error: CommanderError): ExitCode {
  return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
}
