import type { Checked } from "./check.js";

/** Results of a soak: figures for the table, and violations. */
export interface Findings {
  readonly name: string;
  readonly rows: readonly (readonly [what: string, value: string | number])[];
  readonly violations: readonly string[];
}

export function totalOf(checks: readonly Checked[]): Checked {
  const sum = (pick: (checked: Checked) => number): number => checks.reduce((total, checked) => total + pick(checked), 0);
  return {
    expected: sum(({ expected }) => expected),
    delivered: sum(({ delivered }) => delivered),
    attempts: sum(({ attempts }) => attempts),
    brokenOff: sum(({ brokenOff }) => brokenOff),
    repeats: sum(({ repeats }) => repeats),
    acceptedAgain: sum(({ acceptedAgain }) => acceptedAgain),
    violations: checks.flatMap(({ violations }) => violations),
  };
}

const shown = 40;

/** Formats the results for the terminal. */
export function tableOf({ name, rows, violations }: Findings): string {
  const width = Math.max(...rows.map(([what]) => what.length));
  return [
    `## soak: ${name}`,
    "",
    ...rows.map(([what, value]) => `${what.padEnd(width)}  ${typeof value === "number" ? value.toLocaleString("en") : value}`),
    `${"violations".padEnd(width)}  ${violations.length}`,
    ...violations.slice(0, shown).map((violation) => `  - ${violation}`),
    ...(violations.length > shown ? [`  ... and ${violations.length - shown} more`] : []),
  ].join("\n");
}
