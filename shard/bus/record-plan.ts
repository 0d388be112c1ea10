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
import type { Envelope, OpenEnvelope, Outcome } from "../../shared/bus/envelope.js";
import { toOutcome } from "./outcomes.js";

/** Most owners that may die over a command or lose it. After that the command is taken as the cause (poison) and fails. */
const livesMax = 4;

export type Begun =
  | { kind: "run"; repeats: number }
  /** The command ran before, with this outcome. */
  | { kind: "done"; outcome: Outcome }
  /** The command was begun before, may have had its effect, and must not run twice. */
  | { kind: "unknown" }
  /** Its idempotency key stands for another body. */
  | { kind: "other" }
  /** Its session has the most idempotency keys that it may have. */
  | { kind: "full"; waitMs: number };

/** One HTTP request with an idempotency key. `id`: the id of its envelope, which no other request has. */
export interface KeyedRequest {
  readonly session: SessionId;
  readonly id: CommandId;
  readonly body: readonly string[];
}

/** The record of a command before it begins here. `begun`: an owner died over it. `other`: its idempotency key stands for another body. */
export type Earlier = Outcome | "begun" | "other" | undefined;

export type RecordPlan =
  | { kind: "answer"; outcome: Outcome }
  | { kind: "run"; repeated: boolean }
  /** `unknown`: it may have had its effect and must not run twice. `poison`: it outlived its owners too often. */
  | { kind: "give-up"; why: "unknown" | "poison" }
  /** The idempotency key cannot be used. Nothing of this request has begun. */
  | { kind: "refuse"; why: "conflict" | "full"; error: ApiError };

/**
 * Returns whether a command needs no record. A message of this process's own router ends with its caller's connection if the process dies,
 * and after a move the router knows from the reply whether it had begun.
 */
export function needsNoRecord(envelope: Envelope | OpenEnvelope, facts: Pick<CommandFacts, "class" | "isMessage">): boolean {
  const isLocalMessage = "opened" in envelope && facts.class === "send" && facts.isMessage;
  return isLocalMessage && envelope.isFirstTry && envelope.idempotency === undefined;
}

/** Decides what to do with a command, given its record as it begins here. `hasBegun`: an earlier try without a record may have begun. */
export function planRecord(begun: Begun, hasBegun = false): RecordPlan {
  if (begun.kind === "done") return { kind: "answer", outcome: begun.outcome };
  if (begun.kind === "unknown") return { kind: "give-up", why: "unknown" };
  if (begun.kind === "other") return { kind: "refuse", why: "conflict", error: idempotencyKeyReused() };
  if (begun.kind === "full") return { kind: "refuse", why: "full", error: tooManyIdempotencyKeys(begun.waitMs) };
  return begun.repeats >= livesMax ? { kind: "give-up", why: "poison" } : { kind: "run", repeated: hasBegun || begun.repeats > 0 };
}

/**
 * Returns the outcome of a request that may begin nothing new: 429 without a record. `go-on`: `begin` handles another body and a command
 * that an owner died over.
 */
export function planReplay(earlier: Earlier): Outcome | "go-on" {
  if (earlier === "other" || earlier === "begun") return "go-on";
  return earlier ?? toOutcome(tooManyRequests());
}

export type ConnectionPlan = "go-on" | "not-active" | "not-connected" | "wait";

/**
 * Decides what a command does once its session's connect attempt has ended. A command that a dead owner began keeps waiting: "not
 * connected" would claim that it was not sent.
 */
export function planConnection(
  session: { connected: boolean; closed: boolean },
  earlier: Extract<Earlier, "begun"> | undefined,
): ConnectionPlan {
  if (session.connected) return "go-on";
  if (session.closed) return "not-active";
  return earlier === undefined ? "not-connected" : "wait";
}

/** Whether a command that may have been sent waits for the connection: only a send, because it is then repeated under its id. */
export function waitsForConnection(commandClass: CommandClass, session: { disconnected: boolean; closed: boolean }): boolean {
  return commandClass === "send" && session.disconnected && !session.closed;
}

/** The fields of a record that name its request and its progress. */
export interface RecordFields {
  readonly state: string | null | undefined;
  /** Envelope id of the request that the record stands for. */
  readonly requestId: string | null | undefined;
  readonly mac: string | null | undefined;
  readonly again: string | null | undefined;
}

/**
 * Returns what a record means to a command, by the same rules as `begin.lua`. `replay`: done by an earlier request of the same idempotency
 * key.
 */
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
 * Whether a later request of the same idempotency key reruns a failed command. A send keeps its fixed id, so the platform removes
 * duplicates. A once-only command reruns only if nothing has happened.
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
