import { silentLog } from "../../shared/log/logger.js";
import { Courier, type CourierOptions } from "../../shard/webhook/courier.js";

/** Returns a courier for tests, which delivers to any local address and records no metrics. */
export function aCourier(options: Partial<CourierOptions> = {}): Courier {
  return new Courier({
    guard: { allowPrivate: true, own: [] },
    clock: { ageOf: () => 0 },
    places: { tryEnter: () => () => undefined, enter: () => Promise.resolve(() => undefined) },
    metrics: { attempt: () => undefined, delivered: () => undefined, dead: () => undefined },
    log: silentLog,
    ...options,
  });
}
