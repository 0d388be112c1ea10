import type { RedisClock } from "../redis/redis-clock.js";
import type { GiveUpReason } from "../session/store/session-outbox.js";
import type { LineBudget } from "../../shared/log/line-budget.js";
import type { DestinationGate } from "./destination-gate.js";
import type { Answer } from "./answer.js";
import type { Post } from "./post.js";
import type { TenantPlaces } from "../../shared/tenant/tenant-places.js";
import type { TargetGuard } from "./target-guard.js";
import type { WebhookTiming } from "./timing.js";

/** What all sessions of a process share. */
export interface DeliveryParts {
  readonly post: Pick<Post, "send">;
  readonly guard: Pick<TargetGuard, "refuses">;
  readonly gate: DestinationGate;
  /** Of each tenant's webhook requests at once. */
  readonly places: Pick<TenantPlaces, "tryEnter" | "enter">;
  readonly clock: Pick<RedisClock, "ageOf">;
  readonly metrics: DeliveryMetrics;
  /** Limits the lines of failed attempts. */
  readonly failureLines: Pick<LineBudget, "take">;
  readonly timing: WebhookTiming;
}

export interface DeliveryMetrics {
  attempt(outcome: Answer["outcome"], seconds: number): void;
  /** Age of the event when its receiver had it. */
  delivered(ageSeconds: number): void;
  dead(reason: GiveUpReason | "full", count: number): void;
}

/** Does a write under the session's token; one that is refused tells the session that its slot is somebody else's. */
export type FencedWrite = <T>(write: () => Promise<T>) => Promise<T>;
