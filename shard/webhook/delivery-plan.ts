import { FencedError } from "../../shared/redis/script.js";
import { UnreadableRecord } from "../../shared/session/unreadable-record.js";
import type { DeadLetterReason, Webhook } from "../session/store/session-outbox.js";
import type { WaitingEvent } from "./outbox-head.js";
import type { AttemptResult } from "./attempt-result.js";
import { retryDelayMs } from "./retry-delay.js";
import type { WebhookTiming } from "./timing.js";

/** About as many as fit in a day with the waits between them. */
const attemptsMax = 100;
/** Interval of checks whether the record can be read again. */
const unreadablePauseMs = 60_000;

/** The oldest event of an outbox, and its attempts so far. */
export interface DeliveryView {
  readonly event: WaitingEvent;
  /** The epoch of the settings in force. */
  readonly epoch: number;
  readonly ageMs: number;
  /** Failed attempts. */
  readonly attempts: number;
  /** Milliseconds until it may be tried; 0 or less when it may be tried now. */
  readonly waitMs: number;
}

export type DeliveryStep =
  | { readonly kind: "give-up"; readonly reason: DeadLetterReason }
  /** The event's epoch is over: its outbox was deleted meanwhile. */
  | { readonly kind: "forget" }
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "send" };

/** Decides what to do about the oldest event. */
export function planDelivery({ event, epoch, ageMs, attempts, waitMs }: DeliveryView, { eventMs }: WebhookTiming): DeliveryStep {
  // No other event may wait behind it for ever.
  if (!("body" in event)) return { kind: "give-up", reason: "unreadable" };
  if (event.epoch !== epoch) return { kind: "forget" };
  if (ageMs > eventMs) return { kind: "give-up", reason: "expired" };
  if (attempts >= attemptsMax) return { kind: "give-up", reason: "attempts" };
  if (waitMs <= 0) return { kind: "send" };
  // A long wait wakes up in between, because an event can expire while it waits.
  return { kind: "wait", ms: Math.min(waitMs, eventMs - ageMs + 1) };
}

export type NextStep =
  /** Our side aborted it: it does not count as an attempt, and the next round finds what has changed. */
  | { readonly kind: "none" }
  | { readonly kind: "delivered" }
  /** `store`: the next owner must know of it. */
  | { readonly kind: "retry"; readonly attempts: number; readonly delayMs: number; readonly store: boolean };

/** Decides what the end of an attempt means for its event. `attempts` failed before it; `current`: its settings are still in force. */
export function afterAttempt(
  result: AttemptResult,
  { attempts, current }: { readonly attempts: number; readonly current: boolean },
  timing: WebhookTiming,
  random?: () => number,
): NextStep {
  if (result.outcome === "ended") return { kind: "none" };
  if (result.outcome === "delivered") return { kind: "delivered" };
  const failed = attempts + 1;
  // Other settings since: they are tried at once, and Redis knows that already.
  if (!current) return { kind: "retry", attempts: failed, delayMs: 0, store: false };
  return { kind: "retry", attempts: failed, delayMs: retryDelayMs(failed, result, timing, random), store: true };
}

/**
 * Returns what an attempt showed of its destination. A status below 500 means alive: one tenant's wrong path must not hold up its
 * neighbours.
 */
export function healthOf({ outcome, status }: AttemptResult): "alive" | "failed" | "unspent" {
  if (outcome === "ended") return "unspent";
  return status !== undefined && status < 500 ? "alive" : "failed";
}

/** Returns true when waiting events must not be sent any more: the webhook was turned off or on, or its former settings are unknown. */
export function endsEpoch(before: Webhook | undefined, after: Webhook): boolean {
  return before?.epoch !== after.epoch;
}

/** Decides how the loop continues after a failed round. A fenced slot has another owner, and the host closes the session soon. */
export function afterTrouble(
  error: unknown,
  { redisPauseMs }: WebhookTiming,
): { readonly kind: "end" } | { readonly kind: "pause"; readonly ms: number } {
  if (error instanceof FencedError) return { kind: "end" };
  return { kind: "pause", ms: error instanceof UnreadableRecord ? unreadablePauseMs : redisPauseMs };
}
