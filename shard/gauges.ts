import { platforms, type Platform } from "../shared/contract/platform.js";
import { Gauge, type MetricsRegistry } from "../shared/metrics/registry.js";
import { scrapedGauge } from "../shared/metrics/scraped.js";
import type { SessionState } from "../shared/session/state.js";
import type { ShardQuotas } from "../shared/tenant/kept-by-shards.js";
import { strains, type RefusalKind } from "./session/refusal.js";

/** Quotas of tenants that a shard keeps. */
export type ShardQuota = keyof ShardQuotas;

/** What is read at scrape time. */
export interface ShardGauges {
  slots: () => number;
  drained: () => boolean;
  sessions: () => number;
  unreadableSessions: () => number;
  proxylessSessions: () => number;
  sessionStates: () => readonly { platform: Platform; state: SessionState["kind"] }[];
  strainedSessions: () => readonly { platform: Platform; kind: RefusalKind }[];
  connectQueue: () => number;
  connectsYielding: () => number;
  connectsInProgress: () => number;
  connectsAllowed: () => number;
  commandsInFlight: () => number;
  commandStreamEntries: () => number;
  leaseSecondsLeft: () => number;
  commandsWaiting: () => number;
  paceWaiting: () => number;
  incomingWaiting: () => number;
  renderQueue: () => number;
  downloads: () => number;
  webhookInFlight: () => number;
  webhookWaiting: () => number;
  webhookOldestSeconds: () => number;
  webhookOpenCircuits: () => number;
  redisReplicas: () => number;
  quotaWaiting: () => Readonly<Record<ShardQuota, number>>;
}

export function watchGauges(registry: MetricsRegistry, gauges: ShardGauges): void {
  const rows: [string, string, () => number][] = [
    ["gateway_shard_slots_owned_slots", "Slots that this shard owns", gauges.slots],
    [
      "gateway_shard_drained",
      "1 while an operator has drained this shard: it gives its slots away and gets none",
      () => Number(gauges.drained()),
    ],
    ["gateway_shard_sessions_hosted_sessions", "Sessions that this shard hosts", gauges.sessions],
    [
      "gateway_shard_sessions_unreadable_sessions",
      "Sessions of which something stored cannot be opened, by its key or because it was altered: no timer deletes them",
      gauges.unreadableSessions,
    ],
    [
      "gateway_shard_sessions_proxyless_sessions",
      "Logged-in sessions that are not connected because their own or their tenant's proxy does not lead to the platform",
      gauges.proxylessSessions,
    ],
    [
      "gateway_shard_start_queue_commands",
      "Commands that wait to begin, as more came than this shard can do; past 800 the tenant with most of them reads 503",
      gauges.commandsWaiting,
    ],
    [
      "gateway_shard_pace_queue_messages",
      "Messages that wait until their session may send them; no more than 400, past which a session's share of that decides who reads 429",
      gauges.paceWaiting,
    ],
    [
      "gateway_shard_incoming_queue_connections",
      "Connections to platforms whose turn it is not yet to have worked at what came in; one piece each, as they are not read meanwhile",
      gauges.incomingWaiting,
    ],
    [
      "gateway_shard_redis_replicas",
      "Replicas of the coordination Redis; on a cluster those of the master that has fewest",
      gauges.redisReplicas,
    ],
    ["gateway_shard_connect_queue_sessions", "Sessions that wait to connect", gauges.connectQueue],
    [
      "gateway_shard_connects_allowed_sessions",
      "Sessions that may connect at once: 20, and fewer while the event loop is late",
      gauges.connectsAllowed,
    ],
    [
      "gateway_shard_connects_yielding_sessions",
      "Young sessions that let the others which wait to connect go first, for a minute at most",
      gauges.connectsYielding,
    ],
    ["gateway_shard_connects_in_progress_sessions", "Sessions that are connecting", gauges.connectsInProgress],
    ["gateway_shard_commands_in_flight_commands", "Commands taken and not yet answered", gauges.commandsInFlight],
    [
      "gateway_shard_command_stream_entries",
      "Commands in this shard's stream, taken or not, as counted every 2 s; at 2,000 routers answer 503",
      gauges.commandStreamEntries,
    ],
    ["gateway_shard_lease_validity_seconds", "Seconds for which the lease is still valid", gauges.leaseSecondsLeft],
    ["gateway_shard_render_queue_tasks", "Render tasks and first frames of videos, waiting and running", gauges.renderQueue],
    ["gateway_shard_downloads_in_flight_downloads", "Downloads waiting and running", gauges.downloads],
    ["gateway_shard_webhook_in_flight_requests", "Webhook requests in flight", gauges.webhookInFlight],
    ["gateway_shard_webhook_outbox_events", "Events that wait for their receivers, as counted every 10 s", gauges.webhookWaiting],
    ["gateway_shard_webhook_oldest_event_seconds", "Age of the event that waits the longest", gauges.webhookOldestSeconds],
    ["gateway_shard_webhook_open_circuits_destinations", "Destinations that keep failing and are left alone", gauges.webhookOpenCircuits],
  ];
  for (const [name, help, read] of rows) scrapedGauge(registry, name, help, read);
  watchStates(registry, gauges.sessionStates);
  watchStrained(registry, gauges.strainedSessions);
  new Gauge({
    name: "gateway_shard_quota_waiting_tasks",
    help: "What waits for a place of its tenant's quota",
    labelNames: ["quota"],
    registers: [registry],
    collect() {
      for (const [quota, count] of Object.entries(gauges.quotaWaiting())) this.set({ quota }, count);
    },
  });
}

function watchStrained(registry: MetricsRegistry, read: ShardGauges["strainedSessions"]): void {
  new Gauge({
    name: "gateway_shard_sessions_strained_sessions",
    help: "Sessions that their platform has asked to do less at least three times within a quarter of an hour, or has banned for a while, by what it said last",
    labelNames: ["platform", "kind"],
    registers: [registry],
    collect() {
      const strained = read();
      for (const platform of platforms)
        for (const kind of strains)
          this.set({ platform, kind }, strained.filter((session) => session.platform === platform && session.kind === kind).length);
    },
  });
}

/** A deleted session is no session any more. */
const states: readonly SessionState["kind"][] = ["awaiting-qr", "awaiting-password", "connected", "disconnected"];

function watchStates(registry: MetricsRegistry, read: ShardGauges["sessionStates"]): void {
  new Gauge({
    name: "gateway_shard_sessions",
    help: "Sessions that this shard hosts, by the state they are in",
    labelNames: ["platform", "state"],
    registers: [registry],
    collect() {
      const sessions = read();
      for (const platform of platforms) {
        for (const state of states)
          this.set({ platform, state }, sessions.filter((session) => session.platform === platform && session.state === state).length);
      }
    },
  });
}
