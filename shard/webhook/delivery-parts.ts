import type { RedisClock } from "../redis/redis-clock.js";
import type { DeadLetterReason } from "../session/store/session-outbox.js";
import type { LineBudget } from "../../shared/log/line-budget.js";
import type { DestinationGate } from "./destination-gate.js";
import type { AttemptResult } from "./attempt-result.js";
import type { Post } from "./post.js";
import type { TenantPlaces } from "../../shared/tenant/tenant-places.js";
import type { TargetGuard } from "./target-guard.js";
import type { WebhookTiming } from "./timing.js";

/** The parts that all sessions of a process share. */
export interface DeliveryParts {
  readonly post: Pick<Post, "send">;
  readonly guard: Pick<TargetGuard, "refuses">;
  readonly gate: DestinationGate;
  /** Limits each tenant's concurrent webhook requests. */
  readonly places: Pick<TenantPlaces, "tryEnter" | "enter">;
  readonly clock: Pick<RedisClock, "ageOf">;
  readonly metrics: DeliveryMetrics;
  /** Limits the log lines of failed attempts. */
  readonly failureLines: Pick<LineBudget, "take">;
  readonly timing: WebhookTiming;
}

export interface DeliveryMetrics {
  attempt(outcome: AttemptResult["outcome"], seconds: number): void;
  /** Age of the event in seconds when its receiver had accepted it. */
  delivered(ageSeconds: number): void;
  dead(reason: DeadLetterReason | "full", count: number): void;
}

/** Runs a write under the session's token. A refused write reports to the session that its slot has another owner. */
export type FencedWrite = <T>(write: () => Promise<T>) => Promise<T>;
