import type { Platform } from "../../../shared/contract/platform.js";
import type { CheckedAccount } from "./checked-account.js";

export type Outcome = "passed" | "failed" | "left out";

/** Result of a step, stored and shown in the report. It contains no number, name, text or id. */
export interface StepResult {
  outcome: Outcome;
  ms: number;
  finding: string;
}

/** One check with a person's account. */
export interface Step {
  readonly platform: Platform;
  /** Name in the report. It must never change, because the stored progress refers to it. */
  readonly name: string;
  /** Question about what others would see; the person decides before the step runs. */
  readonly needs?: string;
  /** Returns the finding, without private data. Throws the failure, or `LeftOut`. */
  run(account: CheckedAccount): Promise<string>;
}

export function keyOf({ platform, name }: Pick<Step, "platform" | "name">): string {
  return `${platform}: ${name}`;
}
