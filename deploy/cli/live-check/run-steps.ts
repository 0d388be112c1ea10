import type { Cli } from "../cli.js";
import { plain } from "../output/plain.js";
import type { CheckedAccount } from "./checked-account.js";
import type { Progress } from "./progress.js";
import { redacted } from "./redacted.js";
import { LeftOut } from "./left-out.js";
import { keyOf, type Step, type StepResult } from "./step.js";

/** Runs each remaining step in order. A failed step does not stop the others. */
export async function runSteps(cli: Cli, account: CheckedAccount, steps: readonly Step[], progress: Progress): Promise<void> {
  for (const step of steps) {
    const key = keyOf(step);
    if (progress.isDone(key)) {
      cli.screen.say(`${key}: done before`);
      continue;
    }
    const result = await tried(step, account);
    cli.signal.throwIfAborted();
    progress.note(key, result);
    cli.screen.say(`${key}: ${result.outcome} (${plain(result.finding)})`);
  }
}

async function tried(step: Step, account: CheckedAccount): Promise<StepResult> {
  if (step.needs !== undefined && !(await account.settings.person.agrees(step.needs)))
    return { outcome: "left out", ms: 0, finding: "not wanted" };
  const startedAt = performance.now();
  const after = (outcome: StepResult["outcome"], finding: string): StepResult => ({
    outcome,
    ms: Math.round(performance.now() - startedAt),
    finding,
  });
  try {
    return after("passed", await step.run(account));
  } catch (error) {
    if (error instanceof LeftOut) return after("left out", error.message);
    return after("failed", redacted(error instanceof Error ? error.message : String(error)));
  }
}
