import { createLog } from "../../shared/log/logger.js";
import { requireHttpEngine } from "../../shared/process/http-engine.js";
import { settingsOrExit } from "../../shared/process/run.js";
import { surviveStrayRejections } from "../../shared/process/stray-rejections.js";
import { watchNpm } from "./npm-watch.js";
import { keepToOurselves } from "./private-files.js";
import { readSupervisorSettings } from "./settings.js";
import { Supervisor } from "./supervisor.js";
import { welcome } from "./welcome.js";

/** One keystroke can arrive twice: from the terminal, and again from npm, which passes it on. */
const sameKeystrokeMs = 1_000;

const { settings, given } = settingsOrExit(() => {
  requireHttpEngine();
  return readSupervisorSettings(process.env);
});
const log = createLog({ process: "supervisor" }, settings.shared.logLevel);
const coreDumps = keepToOurselves();
if (coreDumps !== undefined)
  log.warn({ reason: coreDumps }, "core dumps could not be turned off: a process that crashes may leave one, with keys in it");
const supervisor = build();

let stoppingSince: number | undefined;
let terminalGone = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, interrupt);
process.on("SIGHUP", () => {
  terminalGone = true;
  stop(0);
});
watchNpm(process.env, () => stop(0));
process.on("uncaughtException", (error) => {
  log.error({ err: error }, "unknown exception");
  stop(1);
});
surviveStrayRejections(log);
// The terminal may be gone before us; what would have been printed there is lost, the processes still stop in order.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

try {
  await supervisor.start();
  console.log(welcome(settings, supervisor.secrets, await supervisor.signInCode()));
} catch (error) {
  if (stoppingSince === undefined) exitWith(error);
}

/** The first signal stops in order, a later one kills what is still there. */
function interrupt(): void {
  if (stoppingSince !== undefined && performance.now() - stoppingSince > sameKeystrokeMs) supervisor.kill();
  stop(0);
}

function stop(code: number): void {
  if (stoppingSince !== undefined) return;
  stoppingSince = performance.now();
  void supervisor.stop().then(() => leave(code));
}

/** Nothing of ours runs any more. The logger's exit handler writes what it still holds, and tries for ever when the terminal has gone: that one is not waited for. */
function leave(code: number): void {
  if (terminalGone) process.kill(process.pid, "SIGKILL");
  process.exit(code);
}

function build(): Supervisor {
  try {
    return new Supervisor(settings, given, process.env, log);
  } catch (error) {
    return exitWith(error);
  }
}

/** What went wrong, as a sentence for the person who started us: the part's own, without the lifecycle's words around it. */
function exitWith(error: unknown): never {
  const reason = error instanceof Error && error.cause instanceof Error && error.message.includes("did not start") ? error.cause : error;
  console.error(`trunkline: ${reason instanceof Error ? reason.message : String(reason)}`);
  process.exit(1);
}
