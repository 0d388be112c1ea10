import type { LocalBus } from "../shared/bus/local-bus.js";
import type { KeyRing } from "../shared/config/key-ring.js";
import type { Log } from "../shared/log/logger.js";
import type { MetricsRegistry } from "../shared/process/metrics/registry.js";
import type { Tracing } from "../shared/process/trace/tracing.js";
import type { RouterSecrets, RouterSettings } from "./config.js";
import type { RouterMetrics } from "./metrics.js";
import type { RouterRedis } from "./open-redis.js";

/** Parts that are available to every `open` function of a router. */
export interface RouterContext {
  readonly settings: RouterSettings;
  readonly secrets: RouterSecrets;
  readonly ring: KeyRing;
  readonly redis: RouterRedis;
  /** Set if a shard runs in the same process. */
  readonly local: LocalBus | undefined;
  readonly registry: MetricsRegistry;
  readonly metrics: RouterMetrics;
  readonly tracing: Tracing | undefined;
  /** A new name per start, so that replies to an earlier run of this router are dropped. */
  readonly life: string;
  readonly log: Log;
}
