import type { TenantPlaces } from "../shared/tenant/tenant-places.js";
import type { Opened } from "../shared/process/lifecycle.js";
import type { ShardContext } from "./context.js";
import type { RedisClock } from "./redis/redis-clock.js";
import { Courier } from "./webhook/courier.js";
import { watchCourier } from "./webhook/courier-gauges.js";
import type { WebhookTiming } from "./webhook/timing.js";

export interface Delivery extends Opened {
  readonly courier: Courier;
}

export interface DeliveryParts {
  readonly clock: RedisClock;
  readonly places: TenantPlaces;
  readonly timing: Partial<WebhookTiming>;
}

export function openDelivery({ settings, registry, metrics, tracing, log }: ShardContext, parts: DeliveryParts): Delivery {
  const courier = new Courier({ guard: settings.webhook, ...parts, metrics: metrics.webhook, tracing, log });
  watchCourier(registry, courier);
  return { courier, lifecycle: [["webhook courier", courier]] };
}
