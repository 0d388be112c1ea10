import type { ProxyAddress } from "../../shared/tenant/proxy-address.js";

/** How the last connection of a logged-in account ended. */
export interface EndedConnection {
  /** Monotonic milliseconds. */
  readonly at: number;
  /** True if this process closed the connection: its proxy learned of it at once, and the platform a moment later. */
  readonly byUs: boolean;
  /** The proxy of the connection; `undefined` for a direct connection. */
  readonly proxy: ProxyAddress | undefined;
}

export interface RerouteGaps {
  /** Wait after a connection that we closed. */
  readonly rerouteMs: number;
  /** Shortest wait after a lost connection: by then the platform has dropped what may still be open there. */
  readonly dropMs: number;
}

/**
 * Returns the milliseconds that an account stays away before it connects by another route: two addresses on one login destroy it
 * (shard/README.md, "Settle gaps"). Pure.
 */
export function rerouteGapMs(last: EndedConnection | undefined, next: ProxyAddress | undefined, now: number, gaps: RerouteGaps): number {
  if (last === undefined || isSameRoute(last.proxy, next)) return 0;
  return Math.max(0, last.at + (last.byUs ? gaps.rerouteMs : Math.max(gaps.rerouteMs, gaps.dropMs)) - now);
}

/** The user counts too: many proxies use another exit address for another user. */
function isSameRoute(one: ProxyAddress | undefined, other: ProxyAddress | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return (["kind", "host", "port", "user", "password"] as const).every((part) => one[part] === other[part]);
}
