import type { Log } from "../shared/log/logger.js";
import type { MetricsRegistry } from "../shared/process/metrics/registry.js";
import type { Tracing } from "../shared/process/trace/tracing.js";
import type { ShardSecrets, ShardSettings } from "./config.js";
import type { HostedSessions } from "./cluster/hosted-sessions.js";
import type { ShardMetrics } from "./metrics.js";
import type { ShardRedis } from "./open-redis.js";

/** The parts of a shard that every other part may use. */
export interface ShardContext {
  readonly settings: ShardSettings;
  readonly secrets: ShardSecrets;
  readonly redis: ShardRedis;
  readonly registry: MetricsRegistry;
  readonly metrics: ShardMetrics;
  readonly tracing: Tracing | undefined;
  /** Empty until slots come. It is made before the parts that need the tenant of a session. */
  readonly hosted: HostedSessions;
  readonly log: Log;
}
