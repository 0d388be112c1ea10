import { platforms } from "../../shared/contract/platform.js";
import { Gauge, type MetricsRegistry } from "../../shared/process/metrics/registry.js";
import { scrapedGauge } from "../../shared/process/metrics/scraped.js";
import type { SessionState } from "../../shared/session/state.js";
import type { Restriction } from "../../shared/session/stored-health.js";
import { strains } from "../session/refusal.js";
import type { Host } from "./host.js";
import type { RefusalWatch } from "./refusal-watch.js";

export type WatchedHost = Pick<Host, "size" | "unreadable" | "proxyless" | "states" | "connects">;

/** Deleted sessions are not counted. */
const states: readonly SessionState["kind"][] = ["awaiting-qr", "awaiting-password", "connected", "disconnected"];

export function watchHost(registry: MetricsRegistry, host: WatchedHost): void {
  const gauge = (name: string, help: string, read: () => number): void => scrapedGauge(registry, name, help, read);
  gauge("gateway_shard_sessions_hosted_sessions", "Sessions hosted by this shard", () => host.size);
  gauge(
    "gateway_shard_sessions_unreadable_sessions",
    "Sessions with stored data that cannot be decrypted, which no timer deletes",
    () => host.unreadable,
  );
  gauge(
    "gateway_shard_sessions_proxyless_sessions",
    "Logged-in sessions that are disconnected because their proxy does not reach the platform",
    () => host.proxyless,
  );
  gauge("gateway_shard_connect_queue_sessions", "Sessions waiting to connect", () => host.connects.waiting);
  gauge(
    "gateway_shard_connects_allowed_sessions",
    "Limit on sessions that connect at once, 20 or fewer while the event loop lags",
    () => host.connects.allowed,
  );
  gauge(
    "gateway_shard_connects_yielding_sessions",
    "Young sessions that let other waiting sessions connect first, for at most a minute",
    () => host.connects.yielding,
  );
  gauge("gateway_shard_connects_in_progress_sessions", "Sessions connecting now", () => host.connects.inProgress);
  new Gauge({
    name: "gateway_shard_sessions",
    help: "Sessions hosted by this shard, by state",
    labelNames: ["platform", "state"],
    registers: [registry],
    collect() {
      const sessions = host.states;
      for (const platform of platforms) {
        for (const state of states)
          this.set({ platform, state }, sessions.filter((session) => session.platform === platform && session.state === state).length);
      }
    },
  });
}

/** Each cause of a restriction. */
const causes: readonly Restriction["cause"][] = ["lock", "cap", "refusal"];

export function watchRestrictions(registry: MetricsRegistry, host: Pick<Host, "restricted">): void {
  new Gauge({
    name: "gateway_shard_sessions_restricted_sessions",
    help: "Sessions whose account the platform restricts, so that it may not write first to people, by cause",
    labelNames: ["platform", "cause"],
    registers: [registry],
    collect() {
      const { restricted } = host;
      for (const platform of platforms)
        for (const cause of causes)
          this.set({ platform, cause }, restricted.filter((session) => session.platform === platform && session.cause === cause).length);
    },
  });
}

export function watchRefusals(registry: MetricsRegistry, refusals: Pick<RefusalWatch, "strained">): void {
  new Gauge({
    name: "gateway_shard_sessions_strained_sessions",
    help: "Sessions that their platform throttled at least three times within 15 minutes or banned temporarily, by latest kind of refusal",
    labelNames: ["platform", "kind"],
    registers: [registry],
    collect() {
      const strained = refusals.strained();
      for (const platform of platforms)
        for (const kind of strains)
          this.set({ platform, kind }, strained.filter((session) => session.platform === platform && session.kind === kind).length);
    },
  });
}
