import { platforms } from "../../shared/contract/platform.js";
import { Gauge, type MetricsRegistry } from "../../shared/process/metrics/registry.js";
import { scrapedGauge } from "../../shared/process/metrics/scraped.js";
import type { SessionState } from "../../shared/session/state.js";
import { strains } from "../session/refusal.js";
import type { Host } from "./host.js";
import type { RefusalWatch } from "./refusal-watch.js";

export type WatchedHost = Pick<Host, "size" | "unreadable" | "proxyless" | "states" | "connects">;

/** Deleted sessions are not counted. */
const states: readonly SessionState["kind"][] = ["awaiting-qr", "awaiting-password", "connected", "disconnected"];

export function watchHost(registry: MetricsRegistry, host: WatchedHost): void {
  const gauge = (name: string, help: string, read: () => number): void => scrapedGauge(registry, name, help, read);
  gauge("gateway_shard_sessions_hosted_sessions", "Sessions that this shard hosts", () => host.size);
  gauge(
    "gateway_shard_sessions_unreadable_sessions",
    "Sessions of which something stored cannot be opened, by its key or because it was altered: no timer deletes them",
    () => host.unreadable,
  );
  gauge(
    "gateway_shard_sessions_proxyless_sessions",
    "Logged-in sessions that are not connected because their own or their tenant's proxy does not lead to the platform",
    () => host.proxyless,
  );
  gauge("gateway_shard_connect_queue_sessions", "Sessions that wait to connect", () => host.connects.waiting);
  gauge(
    "gateway_shard_connects_allowed_sessions",
    "Sessions that may connect at once: 20, and fewer while the event loop is late",
    () => host.connects.allowed,
  );
  gauge(
    "gateway_shard_connects_yielding_sessions",
    "Young sessions that let the others which wait to connect go first, for a minute at most",
    () => host.connects.yielding,
  );
  gauge("gateway_shard_connects_in_progress_sessions", "Sessions that are connecting", () => host.connects.inProgress);
  new Gauge({
    name: "gateway_shard_sessions",
    help: "Sessions that this shard hosts, by the state they are in",
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

export function watchRefusals(registry: MetricsRegistry, refusals: Pick<RefusalWatch, "strained">): void {
  new Gauge({
    name: "gateway_shard_sessions_strained_sessions",
    help: "Sessions that their platform has asked to do less at least three times within a quarter of an hour, or has banned for a while, by what it said last",
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
