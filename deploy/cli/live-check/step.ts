import type { Platform } from "../../../shared/contract/platform.js";
import type { CheckedAccount } from "./checked-account.js";

export type Outcome = "passed" | "failed" | "left out";

/** What is kept of a step, and goes into the report: no number, name, text or id is in it. */
export interface StepResult {
  outcome: Outcome;
  ms: number;
  finding: string;
}

/** One thing that is tried with a person's account. */
export interface Step {
  readonly platform: Platform;
  /** As in the report; never changes, since what was done is remembered by it. */
  readonly name: string;
  /** What others would see of it, as a question: they decide first. */
  readonly asks?: string;
  /** What was found, without anything private. Throws what went wrong, or `LeftOut`. */
  run(account: CheckedAccount): Promise<string>;
}

export function keyOf({ platform, name }: Pick<Step, "platform" | "name">): string {
  return `${platform}: ${name}`;
}
