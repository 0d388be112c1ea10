import { ApiError } from "../../shared/contract/api-error.js";
import type { CommandFacts } from "../../shared/contract/command-row.js";
import { internal, storageUnavailable } from "../../shared/contract/errors.js";
import { redisTrouble } from "../../shared/flow/redis-trouble.js";
import { FencedError } from "../../shared/redis/script.js";
import { toOutcome, type ErrorOutcome } from "./outcomes.js";

/** How far a command had come when it failed, and what had ended by then. */
export interface FailureCircumstances {
  readonly facts: Pick<CommandFacts, "class" | "late">;
  readonly begun: boolean;
  readonly dispatched: boolean;
  readonly dropped: boolean;
  /** The slot is leaving, or the caller of a read has gone. */
  readonly left: boolean;
  readonly late: boolean;
}

export type FailurePlan =
  /** The caller left before the command began. */
  | { kind: "dropped" }
  /**
   * The router sends the command to the next owner under the same id. No outcome is recorded, so that this owner decides by the begin
   * record whether a repeat is safe.
   */
  | { kind: "moved" }
  /** `report`: `cause` logs the private reason of an expected error, `failure` logs an unexpected error. */
  | { kind: "answered"; outcome: ErrorOutcome; report: "nothing" | "cause" | "failure" };

/** Decides what to do with a failed command. */
export function planFailure(error: unknown, { facts, begun, dispatched, dropped, left, late }: FailureCircumstances): FailurePlan {
  if (dropped) return { kind: "dropped" };
  if (error instanceof FencedError || left) return { kind: "moved" };
  if (error instanceof ApiError) return withReply(error, error.cause === undefined ? "nothing" : "cause");
  // The caller may retry: nothing has reached the platform, or only a read has.
  if (redisTrouble(error) !== undefined && (facts.class === "read" || !(dispatched || begun)))
    return withReply(storageUnavailable(error), "nothing");
  if (late || isAbort(error)) return withReply(facts.late(), "nothing");
  return withReply(internal(error), "failure");
}

function withReply(error: ApiError, report: "nothing" | "cause" | "failure"): FailurePlan {
  return { kind: "answered", outcome: toOutcome(error), report };
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === "AbortError" || error.name === "TimeoutError");
}
