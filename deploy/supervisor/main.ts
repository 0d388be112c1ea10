import { statfsSync } from "node:fs";
import { createLog } from "../../shared/log/logger.js";
import { collectGarbage } from "../../shared/process/collect-garbage.js";
import { requireHttpEngine } from "../../shared/process/http-engine.js";
import { onParentGone } from "../../shared/process/parent-gone.js";
import { settingsOrExit } from "../../shared/process/run.js";
import { surviveStrays } from "../../shared/process/stray-rejections.js";
import { watchNpm } from "./npm-watch.js";
import { keepToOurselves } from "./private-files.js";
import { readSupervisorSettings } from "./settings.js";
import { StartProgress } from "./start-progress.js";
import { Supervisor } from "./supervisor.js";
import { welcome } from "./welcome.js";
import { whatToDo } from "./what-to-do.js";

/** One keystroke can arrive twice: from the terminal, and again from npm, which forwards it. */
const sameKeystrokeMs = 1_000;

const { settings, given } = settingsOrExit(() => {
  requireHttpEngine();
  return readSupervisorSettings(process.env, process.argv.slice(2));
});
const log = createLog({ process: "supervisor" }, settings.shared.logLevel);
const coreDumps = keepToOurselves();
if (coreDumps !== undefined) log.warn({ reason: coreDumps }, "core dumps not disabled, a crash may write keys to disk");
const progress = new StartProgress(process.stdout);
const supervisor = build();

let stoppingSince: number | undefined;
let terminalGone = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, interrupt);
process.on("SIGHUP", stopUnseen);
// If a program that started the whole system is killed, such as a test run, nothing may keep running.
onParentGone(stopUnseen);
watchNpm(process.env, () => stop(0));
surviveStrays(log, (error) => {
  log.error({ err: error }, "unexpected exception");
  stop(1);
});
// The terminal may close first; its output is lost, but the processes still stop in order.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

try {
  await supervisor.start();
  collectGarbage();
  progress.finish();
  console.log(welcome(settings, supervisor.secrets, await supervisor.signInCode()));
} catch (error) {
  progress.drop();
  if (stoppingSince === undefined) exitWith(error);
}

/** The first signal stops in order; a later one kills the remaining processes. */
function interrupt(): void {
  if (stoppingSince !== undefined && performance.now() - stoppingSince > sameKeystrokeMs) supervisor.kill();
  stop(0);
}

/** Stops after the reader of our output has gone. */
function stopUnseen(): void {
  terminalGone = true;
  stop(0);
}

function stop(code: number): void {
  if (stoppingSince !== undefined) return;
  stoppingSince = performance.now();
  void supervisor.stop().then(() => leave(code));
}

/** Exits after all processes have stopped. The logger's exit handler retries forever once the terminal is gone, so SIGKILL skips it. */
function leave(code: number): void {
  if (terminalGone) process.kill(process.pid, "SIGKILL");
  process.exit(code);
}

function build(): Supervisor {
  try {
    return new Supervisor(settings, given, process.env, log, (part) => progress.starting(part));
  } catch (error) {
    return exitWith(error);
  }
}

/** Prints the failure as a sentence for the person who started the gateway. */
function exitWith(error: unknown): never {
  console.error(`trunkline: ${whatToDo(error, { dataDir: settings.dataDir, freeBytes: freeBytes(settings.dataDir) })}`);
  process.exit(1);
}

function freeBytes(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return undefined; // The folder is missing, or the system does not report it.
  }
}
