import type { EnvReader } from "./env.js";

/** How a router ends that is told to. Its supervisor has to know it too: a kill before its time would cut requests. */
export interface RouterShutdown {
  /** For so long it still takes requests, while its readiness says that it stops: balancers find the others meanwhile. */
  readonly delayMs: number;
  /** Then requests in progress may finish. */
  readonly graceMs: number;
}

export function readRouterShutdown(env: EnvReader): RouterShutdown {
  const most = { min: 0, max: 3_600 };
  return {
    delayMs: env.integer("SHUTDOWN_DELAY_SECONDS", 0, most) * 1_000,
    graceMs: env.integer("SHUTDOWN_GRACE_SECONDS", 30, most) * 1_000,
  };
}
