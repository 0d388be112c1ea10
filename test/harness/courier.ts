import { silentLog } from "../../shared/log/logger.js";
import { Courier, type CourierOptions } from "../../shard/webhook/courier.js";

/** Delivers for tests: to any local address, without metrics. */
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
