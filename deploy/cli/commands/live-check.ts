import { writeFileSync } from "node:fs";
import { arch, platform as system } from "node:os";
import { join } from "node:path";
import { Option } from "commander";
import { platforms, type Platform } from "../../../shared/contract/platform.js";
import { version } from "../../../shared/process/version.js";
import type { Cli, Registry } from "../cli.js";
import { CliError, exitCodes } from "../exit-code.js";
import { isCredentials, isSession } from "../gateway/responses.js";
import { Refusal } from "../gateway/refusal.js";
import { CheckedAccount } from "../live-check/checked-account.js";
import { PromptedPerson } from "../live-check/person.js";
import { redacted } from "../live-check/redacted.js";
import { Progress } from "../live-check/progress.js";
import { reportOf } from "../live-check/report.js";
import { runSteps } from "../live-check/run-steps.js";
import { SandboxPerson } from "../live-check/sandbox-person.js";
import { keyOf, type StepResult } from "../live-check/step.js";
import { stepsOf } from "../live-check/steps.js";
import { LoginFlow, type LoginOptions } from "../login/login-flow.js";
import { positive } from "../options.js";
import { plain } from "../output/plain.js";
import { dataDirOf } from "../settings.js";
import { examples } from "../examples.js";

interface Options {
  readonly only?: string;
  readonly sandbox?: string;
  readonly media?: string;
  readonly pace: number;
  readonly report: string;
  readonly anew?: boolean;
}

const loggedInKey = (platform: Platform): string => keyOf({ platform, name: "login" });

export function registerLiveCheck({ program, run }: Registry): void {
  program
    .command("live-check")
    .description("Run a guided check against the live platforms and write an anonymous report.")
    .addOption(new Option("--only <platform>", "Check only this platform").choices(platforms))
    .option("--media <address>", "URL of a folder with photo.jpg, video.mp4, audio.mp3 and document.pdf (default: skip files)")
    .addOption(new Option("--pace <seconds>", "Pause between two actions").argParser(positive).default(8))
    .option("--report <file>", "Report file", "live-check-report.md")
    .option("--anew", "Discard the progress of an earlier run")
    .option("--sandbox <account>", "Sandbox only: run unattended as this account")
    .addHelpText("after", examples("live-check --only telegram", "live-check --sandbox alice"))
    .action(run(liveCheck));
}

async function liveCheck(cli: Cli, options: Options): Promise<void> {
  const { sandbox, only } = options;
  const onSandbox = cli.client.address.sandbox;
  const ofSandbox = sandbox === undefined ? undefined : new SandboxPerson(cli, sandbox);
  const person = ofSandbox ?? new PromptedPerson(cli);
  const login: LoginOptions =
    sandbox === undefined || ofSandbox === undefined ? {} : { sandboxScan: sandbox, approvePasskey: ofSandbox.approvePasskey };
  const media = options.media?.replace(/\/$/, "") ?? (onSandbox === undefined ? undefined : `${onSandbox}/files`);
  const settings = { cli, person, paceMs: sandbox === undefined ? options.pace * 1_000 : 0, media };
  const progress = Progress.in(join(dataDirOf(cli.options, cli.environment), "live-check.json"), options.anew === true);
  const chosen = platforms.filter((platform) => only === undefined || platform === only);
  for (const platform of chosen) {
    if (!(await person.agrees(`Check ${platform}? This links a device to your account and sends messages to yourself.`))) continue;
    const id = await loggedIn(cli, platform, progress, login);
    if (id !== undefined) await runSteps(cli, new CheckedAccount(settings, platform, id), stepsOf(platform), progress);
  }
  const keys = chosen.flatMap((platform) => [loggedInKey(platform), ...stepsOf(platform).map(keyOf)]);
  const rows = keys.map((key) => [key, progress.of(key)] as const);
  const facts = {
    version,
    node: process.versions.node,
    system: `${system()} ${arch()}`,
    on: onSandbox === undefined ? "the live platforms" : "the sandbox",
    day: new Date(cli.now()).toISOString().slice(0, 10),
  } as const;
  writeFileSync(options.report, reportOf(facts, rows));
  const failed = rows.filter(([, result]) => result?.outcome === "failed").map(([key]) => key);
  cli.screen.show(
    { report: options.report, failed, steps: Object.fromEntries(rows) },
    () => `Report written to ${options.report}. Review it before you share it.`,
  );
  if (failed.length > 0) throw new CliError(`failed: ${failed.join("; ")}. Run the command again to retry these steps.`, exitCodes.failed);
}

/**
 * Returns a connected session, from an earlier run or new. Returns `undefined` if the login failed, and records that as the step's
 * outcome.
 */
async function loggedIn(cli: Cli, platform: Platform, progress: Progress, options: LoginOptions): Promise<string | undefined> {
  const { client } = cli;
  const saved = progress.session(platform);
  const id = saved !== undefined && (await isThere(cli, saved)) ? saved : undefined;
  const startedAt = performance.now();
  const taken =
    id ??
    (
      await client.request(
        { method: "POST", path: `${client.address.paths[platform]}/session`, body: { label: "live-check" } },
        isCredentials,
      )
    ).id;
  progress.loggedIn(platform, taken);
  const key = loggedInKey(platform);
  const after = (outcome: StepResult["outcome"], finding: string): void => {
    const ms = Math.round(performance.now() - startedAt);
    progress.note(key, { outcome, ms, finding });
    cli.screen.say(`${key}: ${outcome} (${plain(finding)})`);
  };
  try {
    await new LoginFlow(cli, { id: taken, platform }, options).run();
  } catch (error) {
    cli.signal.throwIfAborted();
    after("failed", redacted(error instanceof Error ? error.message : String(error)));
    return undefined;
  }
  // An earlier run may have been interrupted while the code was shown.
  if (id !== undefined && progress.isDone(key)) cli.screen.say(`${key}: done before`);
  else after("passed", "connected");
  return taken;
}

async function isThere({ client }: Cli, id: string): Promise<boolean> {
  try {
    await client.request({ path: `/admin/sessions/${id}` }, isSession);
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return false;
    throw error;
  }
}
