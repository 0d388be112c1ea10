import type { CommandClass } from "../../shared/contract/command-row.js";
import type { Outcome } from "../../shared/bus/envelope.js";
import type { Begun, Earlier } from "./command-log.js";

/** A command that so many owners died over, or lost, kills them: it stops here (poison). */
const livesMax = 4;

export type RecordPlan =
  | { kind: "answer"; outcome: Outcome }
  | { kind: "run"; repeated: boolean }
  /** `unknown`: it may have had its effect and must not run twice. `poison`: it outlived its owners too often. */
  | { kind: "give-up"; why: "unknown" | "poison" };

/** What becomes of a command, given what its record says as it begins here. */
export function planRecord(begun: Begun): RecordPlan {
  if (begun.kind === "done") return { kind: "answer", outcome: begun.outcome };
  if (begun.kind === "unknown") return { kind: "give-up", why: "unknown" };
  return begun.repeats >= livesMax ? { kind: "give-up", why: "poison" } : { kind: "run", repeated: begun.repeats > 0 };
}

export type ConnectionPlan = "go-on" | "not-active" | "not-connected" | "wait";

/**
 * What becomes of a command whose session was not connected, once that session has settled. One that a dead owner had begun may have been sent: it waits for as
 * long as it has, because "not connected" would say that it was not.
 */
export function planConnection(
  session: { connected: boolean; closed: boolean },
  earlier: Extract<Earlier, "begun"> | undefined,
): ConnectionPlan {
  if (session.connected) return "go-on";
  if (session.closed) return "not-active";
  return earlier === undefined ? "not-connected" : "wait";
}

/** Whether a command that may have been sent still waits for the connection: only one that is then sent again under its id. */
export function waitsForConnection(commandClass: CommandClass, session: { disconnected: boolean; closed: boolean }): boolean {
  return commandClass === "send" && session.disconnected && !session.closed;
}
