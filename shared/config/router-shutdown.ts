import type { EnvReader } from "./env.js";

/** Timeouts of a router's shutdown. Its supervisor needs them too, because an early kill would cut requests. */
export interface RouterShutdown {
  /** Time for which the router still accepts requests while it reports not ready, so that load balancers switch to other routers. */
  readonly delayMs: number;
  /** Time after that in which requests in progress may finish. */
  readonly graceMs: number;
}

export function readRouterShutdown(env: EnvReader): RouterShutdown {
  const most = { min: 0, max: 3_600 };
  return {
    delayMs: env.integer("SHUTDOWN_DELAY_SECONDS", 0, most) * 1_000,
    graceMs: env.integer("SHUTDOWN_GRACE_SECONDS", 30, most) * 1_000,
  };
}
