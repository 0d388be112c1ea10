import type { StepResult } from "./step.js";

export interface ReportFacts {
  readonly version: string;
  readonly node: string;
  readonly system: string;
  readonly on: "the sandbox" | "the live platforms";
  readonly day: string;
}

/** Returns the report that a person sends back. */
export function reportOf(facts: ReportFacts, rows: readonly (readonly [step: string, result: StepResult | undefined])[]): string {
  const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");
  const lines = rows.map(([step, result]) =>
    result === undefined
      ? `| ${step} | not reached | | |`
      : `| ${step} | ${result.outcome} | ${(result.ms / 1_000).toFixed(1)} s | ${cell(result.finding)} |`,
  );
  return [
    `# Live check of Trunkline ${facts.version}`,
    "",
    `On ${facts.on}, ${facts.day}; Node ${facts.node}, ${facts.system}. No number, name, text or id is in this file.`,
    "",
    "| step | outcome | took | found |",
    "|---|---|---|---|",
    ...lines,
    "",
  ].join("\n");
}
