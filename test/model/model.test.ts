import { describe, expect, it } from "vitest";
import { guardNames, without, type Guard } from "./guards.js";
import { runModel } from "./model.js";
import { guardsLine, reportLine } from "./report.js";
import { Violation } from "./truth.js";

/** A failure names its seed and its step. Set `MODEL_SEED` to that seed to repeat the run. */
const seed = Number(process.env["MODEL_SEED"] ?? 1);
const steps = Number(process.env["MODEL_STEPS"] ?? 1_000_000);

/** The failure that a missing guard causes. A run may reach another consequence first, so several seeds are tried. */
const consequences: Readonly<Record<Guard, RegExp>> = {
  fence: /wrote .* which process \d+ owns/,
  settleGap: /was connected by/,
  beginRecord: /was executed twice/,
  incarnation: /which process \d+ owns|was connected by|no progress/,
  claim: /accepted and lost/,
  begunInResend: /was reported as not sent/,
};
const seedsOfAGuard = 12;
const stepsOfAGuard = 60_000;

describe("the model under virtual time", () => {
  it("keeps every promise over all faults", () => {
    const report = runModel({ seed, steps });
    process.stdout.write(`${reportLine(report)}\n`);
    expect(report.steps).toBe(steps);
  });

  it("repeats a run from its seed", () => {
    const [one, other] = [1, 2].map(() => runModel({ seed: 7, steps: 30_000 }));
    expect(one).toEqual(other);
  });

  it("fails without any one guard", () => {
    const caught = new Map(guardNames.flatMap((guard) => firstFailure(guard)));
    process.stdout.write(`${guardsLine(caught)}\n`);
    expect([...caught.keys()]).toEqual(guardNames);
  });
});

/** Returns the first seed whose failure matches the missing guard. */
function firstFailure(guard: Guard): [Guard, { readonly seed: number; readonly what: string }][] {
  for (let of = 1; of <= seedsOfAGuard; of++) {
    const what = failureOf(guard, of);
    if (what !== undefined && consequences[guard].test(what)) return [[guard, { seed: of, what }]];
  }
  return [];
}

function failureOf(guard: Guard, of: number): string | undefined {
  try {
    runModel({ seed: of, steps: stepsOfAGuard, guards: without(guard) });
    return undefined;
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    return error.message.split("\n")[0];
  }
}
