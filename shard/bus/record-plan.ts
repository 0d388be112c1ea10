import type { ApiError } from "../../shared/contract/api-error.js";
import type { CommandClass, CommandFacts } from "../../shared/contract/command-row.js";
import {
  idempotencyKeyReused,
  internal,
  sessionNotConnected,
  tooManyIdempotencyKeys,
  tooManyRequests,
} from "../../shared/contract/errors.js";
import type { CommandId, SessionId } from "../../shared/contract/ids.js";
import type { Outcome } from "../../shared/bus/envelope.js";
import { toOutcome } from "./outcomes.js";

/** A command that so many owners died over, or lost, kills them: it stops here (poison). */
const livesMax = 4;

export type Begun =
  | { kind: "run"; repeats: number }
  /** It ran before: this was its outcome. */
  | { kind: "done"; outcome: Outcome }
  /** It was begun before, may have had its effect, and must not run twice. */
  | { kind: "unknown" }
  /** Its idempotency key stands for another body. */
  | { kind: "other" }
  /** Its session has as many idempotency keys as it may have. */
  | { kind: "full"; waitMs: number };

/** One HTTP request with an idempotency key. `id`: of its envelope, which no other request has. */
export interface KeyedRequest {
  readonly session: SessionId;
  readonly id: CommandId;
  readonly body: readonly string[];
}

/** What stands of a command before it is begun here: its outcome, `begun` when an owner died over it, `other` when its idempotency key stands for another body, or nothing. */
export type Earlier = Outcome | "begun" | "other" | undefined;

export type RecordPlan =
  | { kind: "answer"; outcome: Outcome }
  | { kind: "run"; repeated: boolean }
  /** `unknown`: it may have had its effect and must not run twice. `poison`: it outlived its owners too often. */
  | { kind: "give-up"; why: "unknown" | "poison" }
  /** Of an idempotency key that cannot be taken: nothing of this request has begun. */
  | { kind: "refuse"; why: "conflict" | "full"; error: ApiError };

/** What becomes of a command, given what its record says as it begins here. */
export function planRecord(begun: Begun): RecordPlan {
  if (begun.kind === "done") return { kind: "answer", outcome: begun.outcome };
  if (begun.kind === "unknown") return { kind: "give-up", why: "unknown" };
  if (begun.kind === "other") return { kind: "refuse", why: "conflict", error: idempotencyKeyReused() };
  if (begun.kind === "full") return { kind: "refuse", why: "full", error: tooManyIdempotencyKeys(begun.waitMs) };
  return begun.repeats >= livesMax ? { kind: "give-up", why: "poison" } : { kind: "run", repeated: begun.repeats > 0 };
}

/** What a request is answered for which nothing new may be begun, given what stands of it. What another body is to be told, and what an owner died over, is for `begin`. */
export function planReplay(earlier: Earlier): Outcome | "go-on" {
  if (earlier === "other" || earlier === "begun") return "go-on";
  return earlier ?? toOutcome(tooManyRequests());
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

/** The fields of a record that say whose it is and how far it has come. */
export interface RecordFields {
  readonly state: string | null | undefined;
  /** Envelope's id of the request that it stands for. */
  readonly requestId: string | null | undefined;
  readonly mac: string | null | undefined;
  readonly again: string | null | undefined;
}

/** What a record means to a command, as `begin.lua` sees it. `replay`: it is done, by an earlier request of the same idempotency key. */
export function judgeRecord(
  { state, requestId, mac, again }: RecordFields,
  request: Pick<KeyedRequest, "id" | "body"> | undefined,
): "done" | "replay" | "begun" | "other" | undefined {
  if (state == null) return undefined;
  if (request !== undefined && !request.body.some((given) => given === mac)) return "other";
  if (state !== "done") return "begun";
  if (request === undefined || requestId === request.id) return "done";
  return again === "1" ? undefined : "replay";
}

/**
 * Whether a later request of the same idempotency key runs a command again that ended so: after a failure, where that cannot have its effect twice. A send goes out again under its
 * fixed id, which the platform recognises; of what is once-only it must be certain that nothing has happened.
 */
export function runsAgain(
  outcome: Outcome,
  { class: commandClass, late }: Pick<CommandFacts, "class" | "late">,
  dispatched: boolean,
): boolean {
  if (outcome.kind !== "error") return false;
  if (commandClass === "send" || !dispatched) return true;
  return ![internal(), sessionNotConnected(), late()].some(({ message }) => message === outcome.message);
}
