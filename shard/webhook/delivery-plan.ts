import { FencedError } from "../../shared/redis/script.js";
import { UnreadableRecord } from "../../shared/session/unreadable-record.js";
import type { GiveUpReason, Webhook } from "../session/store/session-outbox.js";
import type { WaitingEvent } from "./outbox-head.js";
import type { Answer } from "./answer.js";
import { retryDelayMs } from "./retry-delay.js";
import type { WebhookTiming } from "./timing.js";

/** About as many as the waits between them leave room for in a day. */
const attemptsMax = 100;
/** A look from time to time whether somebody has mended the record. */
const unreadablePauseMs = 60_000;

/** The oldest event of an outbox, and how it has fared so far. */
export interface DeliveryView {
  readonly event: WaitingEvent;
  /** Of the settings in force. */
  readonly epoch: number;
  readonly ageMs: number;
  /** In vain. */
  readonly attempts: number;
  /** Until it may be tried; 0 or less when it may be now. */
  readonly waitMs: number;
}

export type DeliveryStep =
  | { readonly kind: "give-up"; readonly reason: GiveUpReason }
  /** Of an epoch that is over: its outbox was deleted under us. */
  | { readonly kind: "forget" }
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "send" };

/** What to do about the oldest event. Pure. */
export function planDelivery({ event, epoch, ageMs, attempts, waitMs }: DeliveryView, { eventMs }: WebhookTiming): DeliveryStep {
  // No other event may wait behind it for ever.
  if (!("body" in event)) return { kind: "give-up", reason: "unreadable" };
  if (event.epoch !== epoch) return { kind: "forget" };
  if (ageMs > eventMs) return { kind: "give-up", reason: "expired" };
  if (attempts >= attemptsMax) return { kind: "give-up", reason: "attempts" };
  if (waitMs <= 0) return { kind: "send" };
  // A long wait wakes in between: an event can become too old while it waits.
  return { kind: "wait", ms: Math.min(waitMs, eventMs - ageMs + 1) };
}

export type AnswerStep =
  /** Broken off by our side: it counts as no attempt, and the next round finds what has changed. */
  | { readonly kind: "none" }
  | { readonly kind: "delivered" }
  /** `store`: the next owner is to know of it. */
  | { readonly kind: "retry"; readonly attempts: number; readonly delayMs: number; readonly store: boolean };

/** What an attempt's end means for its event. `attempts` were in vain before it; `current`: the settings are still those that it went out with. */
export function afterAnswer(
  answer: Answer,
  { attempts, current }: { readonly attempts: number; readonly current: boolean },
  timing: WebhookTiming,
  random?: () => number,
): AnswerStep {
  if (answer.outcome === "ended") return { kind: "none" };
  if (answer.outcome === "delivered") return { kind: "delivered" };
  const failed = attempts + 1;
  // Other settings since: they are tried at once, and Redis has that already.
  if (!current) return { kind: "retry", attempts: failed, delayMs: 0, store: false };
  return { kind: "retry", attempts: failed, delayMs: retryDelayMs(failed, answer, timing, random), store: true };
}

/** What an attempt showed of its destination. One that answers at all is alive, whatever it thinks of this request: one tenant's wrong path must not hold up its neighbours. */
export function healthOf({ outcome, status }: Answer): "alive" | "failed" | "unspent" {
  if (outcome === "ended") return "unspent";
  return status !== undefined && status < 500 ? "alive" : "failed";
}

/** True when what waits under the former settings is not to be sent any more: off, on, or nobody knows what was. */
export function endsEpoch(before: Webhook | undefined, after: Webhook): boolean {
  return before?.epoch !== after.epoch;
}

/** What a failed round of the loop leads to. The slot of a fenced one is somebody else's; the host closes its session any moment. */
export function afterTrouble(
  error: unknown,
  { redisPauseMs }: WebhookTiming,
): { readonly kind: "end" } | { readonly kind: "pause"; readonly ms: number } {
  if (error instanceof FencedError) return { kind: "end" };
  return { kind: "pause", ms: error instanceof UnreadableRecord ? unreadablePauseMs : redisPauseMs };
}
