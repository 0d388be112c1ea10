import { every } from "../../shared/flow/every.js";
import type { RedisClock } from "../redis/redis-clock.js";
import { LineBudget } from "../../shared/log/line-budget.js";
import type { Log } from "../../shared/log/logger.js";
import type { Tracing } from "../../shared/process/trace/tracing.js";
import type { DeliveryMetrics, DeliveryParts } from "./delivery-parts.js";
import type { DeliveryOptions } from "../session/event-delivery.js";
import { Delivery } from "./delivery.js";
import { DestinationGate } from "./destination-gate.js";
import { Post } from "./post.js";
import { TargetGuard, type TargetGuardOptions } from "./target-guard.js";
import { defaultTiming, type WebhookTiming } from "./timing.js";

export interface CourierOptions {
  readonly guard: TargetGuardOptions;
  readonly clock: Pick<RedisClock, "ageOf">;
  readonly places: DeliveryParts["places"];
  readonly metrics: DeliveryMetrics;
  readonly tracing?: Tracing | undefined;
  readonly log: Log;
  readonly timing?: Partial<WebhookTiming>;
}

/** Interval at which the outboxes that are being delivered are counted. */
const countMs = 10_000;

/** Delivers the events of all sessions of this process. Opening a session costs nothing until its outbox holds an event. */
export class Courier {
  private readonly deliveries = new Set<Delivery>();
  private readonly gate: DestinationGate;
  private readonly failureLines: LineBudget;
  private readonly post: Post;
  private readonly guard: TargetGuard;
  private readonly timing: WebhookTiming;
  private timer: NodeJS.Timeout | undefined;
  private waitingEvents = 0;

  constructor(private readonly options: CourierOptions) {
    this.timing = { ...defaultTiming, ...options.timing };
    this.gate = new DestinationGate({ circuitMs: this.timing.circuitMs });
    this.guard = new TargetGuard(options.guard);
    this.failureLines = new LineBudget(options.log, "failed webhook attempts");
    this.post = new Post(this.guard, this.timing, options.tracing);
  }

  start(): void {
    this.timer = every(countMs, () => this.count());
  }

  open(options: DeliveryOptions): Delivery {
    const { clock, places, metrics } = this.options;
    const delivery: Delivery = new Delivery(
      { post: this.post, guard: this.guard, gate: this.gate, places, clock, metrics, failureLines: this.failureLines, timing: this.timing },
      options,
      () => this.deliveries.delete(delivery),
    );
    this.deliveries.add(delivery);
    return delivery;
  }

  get inFlight(): number {
    return this.gate.running;
  }

  get openCircuits(): number {
    return this.gate.openCircuits;
  }

  /** Events in the outboxes of this process's sessions, as last counted. */
  get waiting(): number {
    return this.waitingEvents;
  }

  /** Age in seconds of the oldest waiting event; 0 when none waits. */
  get oldestSeconds(): number {
    return Math.max(0, ...[...this.deliveries].map(({ oldestSeconds }) => oldestSeconds));
  }

  /** To be called after the last session was closed. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all([...this.deliveries].map((delivery) => delivery.close()));
    this.gate.stop();
    await this.post.stop();
  }

  private async count(): Promise<void> {
    try {
      const lengths = await Promise.all([...this.deliveries].filter(({ busy }) => busy).map(({ outbox }) => outbox.length()));
      this.waitingEvents = lengths.reduce((sum, length) => sum + length, 0);
    } catch (error) {
      this.options.log.debug({ err: error }, "outbox count failed");
    }
  }
}
