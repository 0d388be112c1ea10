import { ApiError } from "../../shared/contract/api-error.js";
import type { CommandFacts } from "../../shared/contract/command-row.js";
import { internal, serverBusy } from "../../shared/contract/errors.js";
import { redisTrouble } from "../../shared/flow/redis-trouble.js";
import { FencedError } from "../../shared/redis/script.js";
import { toOutcome, type ErrorOutcome } from "./outcomes.js";

/** How far a command had come when it failed, and what had ended by then. */
export interface FailureCircumstances {
  readonly facts: Pick<CommandFacts, "class" | "late">;
  readonly begun: boolean;
  readonly dispatched: boolean;
  readonly dropped: boolean;
  /** Its slot leaves, or the caller of a read does. */
  readonly left: boolean;
  readonly late: boolean;
}

export type FailurePlan =
  /** Nobody waits for its outcome. */
  | { kind: "dropped" }
  /** Asked again at the next owner, under the same id. Nothing is recorded: that owner knows that it was begun, and repeats it or does not. */
  | { kind: "moved" }
  /** `report`: `cause` for the private reason of an error that the caller reads, `failure` for what nobody expected. */
  | { kind: "answered"; outcome: ErrorOutcome; report: "nothing" | "cause" | "failure" };

/** What becomes of a command that failed. */
export function planFailure(error: unknown, { facts, begun, dispatched, dropped, left, late }: FailureCircumstances): FailurePlan {
  if (dropped) return { kind: "dropped" };
  if (error instanceof FencedError || left) return { kind: "moved" };
  if (error instanceof ApiError) return answered(error, error.cause === undefined ? "nothing" : "cause");
  // What can be asked again may be told to be: nothing has gone to the platform, or only a question.
  if (redisTrouble(error) !== undefined && (facts.class === "read" || !(dispatched || begun)))
    return answered(serverBusy(error), "nothing");
  if (late || isAbort(error)) return answered(facts.late(), "nothing");
  return answered(internal(error), "failure");
}

function answered(error: ApiError, report: "nothing" | "cause" | "failure"): FailurePlan {
  return { kind: "answered", outcome: toOutcome(error), report };
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === "AbortError" || error.name === "TimeoutError");
}
