import type { AuditMetrics } from "../shared/audit/audit-writer.js";
import type { CommandMetrics, CommandStage } from "./bus/command-metrics.js";
import type { ReplicaMetrics } from "./redis/replica-gate.js";
import type { RewriteMetrics, RewriteOutcome } from "./erasure/aof-rewriter.js";
import type { ResealMetrics } from "./keyring/resealer.js";
import type { ProxyFaultKind } from "./egress/proxy-fault.js";
import type { HostMetrics } from "./host/host.js";
import type { TelegramMetrics } from "./telegram/services.js";
import { passkeyFailures, passkeyPhases } from "./whatsapp/passkey/passkey-failure.js";
import type { WhatsAppMetrics } from "./whatsapp/services.js";
import { strains, type RefusalClass, type RefusalKind } from "./session/refusal.js";
import type { NewsMetrics } from "./news/news-writer.js";
import type { DeliveryMetrics } from "./webhook/delivery-parts.js";
import { platforms, type Platform } from "../shared/contract/platform.js";
import { Counter, Gauge, Histogram, type MetricsRegistry } from "../shared/metrics/registry.js";
import { stageBuckets } from "../shared/metrics/stage-buckets.js";
import { TalliedHistogram, type Tally } from "../shared/metrics/tallied-histogram.js";
import type { ShardQuotas } from "../shared/tenant/kept-by-shards.js";
import type { SessionState } from "../shared/session/state.js";

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

export interface ShardMetrics {
  commands: CommandMetrics;
  host: HostMetrics;
  keyring: ResealMetrics;
  erasure: RewriteMetrics;
  replication: ReplicaMetrics;
  telegram: TelegramMetrics;
  whatsapp: WhatsAppMetrics;
  webhook: DeliveryMetrics;
  auditRows: AuditMetrics["auditRows"];
  news: NewsMetrics["news"];
  fenced: () => void;
  massDeleteBlocked: (blocked: boolean) => void;
  /** Something waited so long for a place of its tenant's quota. */
  quotaWaited: (quota: ShardQuota, seconds: number) => void;
  deletedMediaLeft: () => void;
  downloadFinished: (outcome: string, seconds: number, bytes: number) => void;
  downloadBlocked: (reason: string) => void;
  /** A connection did not come through the proxy that its session or tenant has. */
  proxyFailed: (kind: ProxyFaultKind) => void;
  /** A platform refused a command, or a connection. */
  refused: (platform: Platform, kind: RefusalKind, refusalClass: RefusalClass) => void;
  /** A message met the pace at which its session may send. */
  paced: (platform: Platform, outcome: "waited" | "refused") => void;
  renderTask: (task: string, outcome: string, seconds: number) => void;
  renderRestart: () => void;
  watch: (gauges: ShardGauges) => void;
}

const buckets = [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 240];

/** Every metric of a shard, declared once; labels come from closed sets, so that their number is bounded. */
export function createShardMetrics(registry: MetricsRegistry): ShardMetrics {
  const registers = [registry];
  const commandSeconds = new Histogram({
    name: "gateway_shard_command_seconds",
    help: "Time from taking a command to its reply",
    labelNames: ["command", "class", "outcome"],
    buckets,
    registers,
  });
  const commandAge = new TalliedHistogram({
    name: "gateway_shard_command_age_seconds",
    help: "Age of a command when it was taken",
    labelNames: [],
    buckets,
    registers,
  }).tally({});
  const commandStages = new TalliedHistogram({
    name: "gateway_shard_command_stage_seconds",
    help: "Where the time of a command goes here, after its way through the stream (its age): begin (its lane, its turn, its record), platform (its platform's part), record (of its outcome), reply (until that stands in Redis and its entry is gone)",
    labelNames: ["platform", "stage"],
    buckets: stageBuckets,
    registers,
  });
  const stagesOf = (platform: Platform): Readonly<Record<CommandStage, Tally>> => ({
    begin: commandStages.tally({ platform, stage: "begin" }),
    platform: commandStages.tally({ platform, stage: "platform" }),
    record: commandStages.tally({ platform, stage: "record" }),
    reply: commandStages.tally({ platform, stage: "reply" }),
  });
  const stages = { whatsapp: stagesOf("whatsapp"), telegram: stagesOf("telegram") } satisfies Record<Platform, unknown>;
  const repeats = new Counter({
    name: "gateway_shard_command_repeats_total",
    help: "Commands run again after an owner was lost",
    registers,
  });
  const unheard = new Counter({
    name: "gateway_shard_replies_unheard_total",
    help: "Outcomes of commands that no router took: the one that asked has had no stream of replies for 12 s",
    registers,
  });
  const turnedAway = new Counter({
    name: "gateway_shard_commands_turned_away_total",
    help: "Commands that were not begun: answered 503 because their session or tenant has its share of the shard (share) or the session's queue is full (queue), or dropped because their caller had left (left)",
    labelNames: ["reason"],
    registers,
  });
  const paced = new Counter({
    name: "gateway_shard_paced_messages_total",
    help: "Messages that met the pace of their session (sends: messages to anybody, new-contacts: first ones to people), and waited or were refused with 429",
    labelNames: ["platform", "pace", "outcome"],
    registers,
  });
  const opened = new Counter({ name: "gateway_shard_sessions_opened_total", help: "Sessions opened", labelNames: ["platform"], registers });
  const closed = new Counter({ name: "gateway_shard_sessions_closed_total", help: "Sessions closed", labelNames: ["platform"], registers });
  const states = new Counter({
    name: "gateway_shard_session_states_total",
    help: "States that sessions entered",
    labelNames: ["platform", "state"],
    registers,
  });
  const fenced = new Counter({ name: "gateway_shard_leases_lost_total", help: "Times that this process fenced itself", registers });
  const massDelete = new Gauge({ name: "gateway_shard_mass_delete_blocked", help: "1 while the mass-deletion brake holds", registers });
  const downloads = new Histogram({
    name: "gateway_shard_download_seconds",
    help: "Downloads of callers' URLs",
    labelNames: ["outcome"],
    buckets,
    registers,
  });
  const downloadBytes = new Counter({ name: "gateway_shard_download_bytes_total", help: "Bytes downloaded from callers' URLs", registers });
  const blocked = new Counter({
    name: "gateway_shard_ssrf_blocked_total",
    help: "Addresses that the downloader refused",
    labelNames: ["reason"],
    registers,
  });
  const proxyFaults = new Counter({
    name: "gateway_shard_proxy_failures_total",
    help: "Connections to platforms and their media hosts that did not come through the proxy of their session or tenant: unreachable, silent, refused (the login, or our address), no-route (it does not reach the platform), not-allowed (its address is not public, and not in PROXY_ALLOW)",
    labelNames: ["kind"],
    registers,
  });
  const refusals = new Counter({
    name: "gateway_shard_refusals_total",
    help: "What platforms refused, by what they meant and by the class of the command, or connect",
    labelNames: ["platform", "kind", "class"],
    registers,
  });
  // An alert asks by how much it has grown.
  refusals.inc({ platform: "telegram", kind: "outdated", class: "connect" }, 0);
  const connectionEnds = new Counter({
    name: "gateway_shard_telegram_connection_ends_total",
    help: "Platform connections that ended",
    labelNames: ["reason"],
    registers,
  });
  const platformBytes = new Counter({
    name: "gateway_shard_telegram_received_bytes_total",
    help: "Bytes that came from the platform",
    registers,
  });
  const chunks = new Histogram({
    name: "gateway_shard_telegram_chunk_seconds",
    help: "Fetches of one media chunk from the platform",
    labelNames: ["outcome"],
    buckets,
    registers,
  });
  const chunkBytes = new Counter({
    name: "gateway_shard_telegram_chunk_bytes_total",
    help: "Bytes of media chunks that were fetched and stored",
    registers,
  });
  const chunksInFlight = new Gauge({
    name: "gateway_shard_telegram_chunks_in_flight_chunks",
    help: "Media chunks on their way from the platform into the cache",
    registers,
  });
  const chunksWaiting = new Gauge({
    name: "gateway_shard_telegram_chunks_waiting_chunks",
    help: "Media chunks whose fetch waits for its turn",
    registers,
  });
  const decrypted = new Histogram({
    name: "gateway_shard_telegram_decrypt_seconds",
    help: "Time that decrypting a part of a file took",
    buckets,
    registers,
  });
  const chunkTurns = new Histogram({
    name: "gateway_shard_telegram_chunk_wait_seconds",
    help: "Waits of chunk fetches for their turn, of those that had to wait",
    buckets,
    registers,
  });
  const chunksStored = new Counter({
    name: "gateway_shard_telegram_chunks_stored_already_total",
    help: "Chunks that had come into the cache by the time they were asked for",
    registers,
  });
  const deletedMediaLeft = new Counter({
    name: "gateway_shard_telegram_deletions_left_total",
    help: "Deletions after which the cache kept descriptions of files, because it did not answer or too many waited for it; no link shows them",
    registers,
  });
  const floods = new Histogram({
    name: "gateway_shard_telegram_flood_wait_seconds",
    help: "Waits that Telegram asked for: waited (within the command), told (the caller was answered 420)",
    labelNames: ["outcome"],
    buckets: [1, 5, 15, 60, 300, 3_600, 86_400],
    registers,
  });
  const updates = new Counter({
    name: "gateway_shard_telegram_updates_total",
    help: "Counted updates that were taken in",
    labelNames: ["outcome"],
    registers,
  });
  const updateGaps = new Counter({
    name: "gateway_shard_telegram_update_gaps_total",
    help: "Times that updates were missing",
    labelNames: ["cause"],
    registers,
  });
  const differences = new Counter({
    name: "gateway_shard_telegram_differences_total",
    help: "Answers to the question what was missed; too-long: something was lost",
    labelNames: ["outcome"],
    registers,
  });
  const events = new Counter({
    name: "gateway_shard_telegram_events_total",
    help: "Events of private chats that were stored",
    labelNames: ["type"],
    registers,
  });
  const updateQueue = new Gauge({
    name: "gateway_shard_telegram_update_queue_updates",
    help: "Packets of updates that wait to be taken in",
    registers,
  });
  const whatsappEnds = new Counter({
    name: "gateway_shard_whatsapp_connection_ends_total",
    help: "Platform connections that ended",
    labelNames: ["reason"],
    registers,
  });
  const whatsappBytes = new Counter({
    name: "gateway_shard_whatsapp_received_bytes_total",
    help: "Bytes that came from the platform",
    registers,
  });
  const whatsappSends = new Histogram({
    name: "gateway_shard_whatsapp_send_seconds",
    help: "Messages and statuses, from the command to the platform's answer",
    labelNames: ["outcome"],
    buckets,
    registers,
  });
  const passkeys = new Counter({
    name: "gateway_shard_whatsapp_passkey_linkings_total",
    help: "Linkings by passkey that ended: in which step (challenge, sent, revealed: the phone's key is there, confirmed), and how (linked, unreadable, refused, changed: another key of the phone's, forgotten by the platform, late, interrupted)",
    labelNames: ["step", "outcome"],
    registers,
  });
  // An alert asks by how much these have grown.
  for (const outcome of passkeyFailures) for (const step of passkeyPhases) passkeys.inc({ step, outcome }, 0);
  const whatsappRevision = new Gauge({
    name: "gateway_shard_whatsapp_version_revision",
    help: "Last number of versions of the WhatsApp client: spoken (what connections say), found (the newest that was looked up)",
    labelNames: ["kind"],
    registers,
  });
  const whatsappFoundAt = new Gauge({
    name: "gateway_shard_whatsapp_version_found_timestamp_seconds",
    help: "When the newest version of the WhatsApp client was looked up last, or this process' start before the first time; 0 where nothing is looked up",
    registers,
  });
  const whatsappRefused = new Counter({
    name: "gateway_shard_whatsapp_version_refusals_total",
    help: "Connections whose version of the client WhatsApp refused (405)",
    registers,
  });
  const whatsappLookUps = new Counter({
    name: "gateway_shard_whatsapp_version_look_ups_total",
    help: "Look-ups of the newest version of the WhatsApp client: found, older (than one that is known and was not refused), failed",
    labelNames: ["outcome"],
    registers,
  });
  for (const outcome of ["found", "older", "failed"]) whatsappLookUps.inc({ outcome }, 0);
  const attempts = new Histogram({
    name: "gateway_shard_webhook_attempt_seconds",
    help: "Webhook requests, by how they ended",
    labelNames: ["outcome"],
    buckets,
    registers,
  });
  const deliveredAge = new Histogram({
    name: "gateway_shard_webhook_delivered_age_seconds",
    help: "Age of a webhook event when its receiver had it",
    buckets: [...buckets, 900, 3_600, 86_400],
    registers,
  });
  const deadLetters = new Counter({
    name: "gateway_shard_webhook_dead_letters_total",
    help: "Webhook events that were given up",
    labelNames: ["reason"],
    registers,
  });
  // What alerts count the increase of is there from the start: a series that begins with its first event does not increase.
  for (const reason of ["expired", "attempts", "unreadable", "full"] satisfies Parameters<DeliveryMetrics["dead"]>[0][])
    deadLetters.inc({ reason }, 0);
  differences.inc({ outcome: "too-long" }, 0);
  attempts.zero({ outcome: "delivered" });
  whatsappSends.zero({ outcome: "lost" });
  const render = new Histogram({
    name: "gateway_shard_render_seconds",
    help: "Render tasks and first frames of videos, waiting included",
    labelNames: ["task", "outcome"],
    buckets,
    registers,
  });
  const idempotent = new Counter({
    name: "gateway_shard_idempotent_commands_total",
    help: "Commands of requests with an idempotency key: replayed (answered as the first was), waited (for the first, which was at work), conflict (another body), full (too many keys of a session)",
    labelNames: ["outcome"],
    registers,
  });
  const auditRows = new Counter({
    name: "gateway_shard_audit_rows_total",
    help: "Rows of the audit that Redis keeps, and those that it would not take (each is a line in the log)",
    labelNames: ["outcome"],
    registers,
  });
  // An alert asks by how much they have grown: they begin at nothing, not with the first row.
  for (const outcome of ["written", "lost"]) auditRows.inc({ outcome }, 0);
  const resealed = new Counter({
    name: "gateway_shard_resealed_texts_total",
    help: "Stored texts that a rotation of CRED_KEYS sealed anew; failed: they do not open, and stay as they are",
    labelNames: ["outcome"],
    registers,
  });
  resealed.inc({ outcome: "failed" }, 0);
  const aofRewrites = new Counter({
    name: "gateway_shard_aof_rewrites_total",
    help: "Times that Redis was to rewrite its append-only file because it held secrets of deleted sessions: done, off (there is no such file), refused (our user may not ask for it), failed",
    labelNames: ["outcome"],
    registers,
  });
  for (const outcome of ["refused", "failed"] satisfies RewriteOutcome[]) aofRewrites.inc({ outcome }, 0);
  const replicaWaits = new Histogram({
    name: "gateway_shard_redis_replica_wait_seconds",
    help: "Waits for a replica of Redis to have what must not be forgotten; writes that come meanwhile share the next",
    buckets: [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2],
    registers,
  });
  const replicated = new Counter({
    name: "gateway_shard_redis_replicated_writes_total",
    help: "Writes that must not be forgotten, where Redis has replicas: confirmed (a replica has it), alone (none confirmed it in time: a failover then may forget it)",
    labelNames: ["outcome"],
    registers,
  });
  replicated.inc({ outcome: "confirmed" }, 0);
  replicated.inc({ outcome: "alone" }, 0);
  const renderRestarts = new Counter({
    name: "gateway_shard_render_restarts_total",
    help: "Render processes that ended by themselves",
    registers,
  });
  const quotaWaits = new Histogram({
    name: "gateway_shard_quota_wait_seconds",
    help: "Waits for a place of a tenant's quota, of what had to wait: downloads (callers' files, renders, chunks of media) and webhooks (a session's next webhook request)",
    labelNames: ["quota"],
    buckets,
    registers,
  });
  const news = new Counter({
    name: "gateway_shard_news_total",
    help: "News for operators' event streams that Redis keeps; unheard: of deliveries, while nobody listened; lost: those that Redis would not take, and streams say then that something is missing",
    labelNames: ["outcome"],
    registers,
  });
  news.inc({ outcome: "lost" }, 0);
  return {
    auditRows: (outcome, rows) => auditRows.inc({ outcome }, rows),
    commands: {
      observe: (command, commandClass, outcome, seconds) => commandSeconds.observe({ command, class: commandClass, outcome }, seconds),
      stage: (platform, stage, ms) => stages[platform][stage].observe(ms / 1_000),
      age: (seconds) => commandAge.observe(seconds),
      repeated: () => repeats.inc(),
      unheard: () => unheard.inc(),
      idempotent: (outcome) => idempotent.inc({ outcome }),
      turnedAway: (reason) => turnedAway.inc({ reason }),
    },
    host: {
      sessionOpened: (platform) => opened.inc({ platform }),
      sessionClosed: (platform) => closed.inc({ platform }),
      stateEntered: (platform, state) => states.inc({ platform, state }),
      newContactRefused: (platform) => paced.inc({ platform, pace: "new-contacts", outcome: "refused" }),
    },
    replication: {
      replicated: (writes, confirmed, seconds) => {
        replicaWaits.observe(seconds);
        replicated.inc({ outcome: confirmed ? "confirmed" : "alone" }, writes);
      },
    },
    erasure: { aofRewritten: (outcome) => aofRewrites.inc({ outcome }) },
    keyring: { resealed: (outcome, texts) => resealed.inc({ outcome }, texts) },
    telegram: {
      onConnectionEnd: (reason) => connectionEnds.inc({ reason }),
      onBytes: (count) => platformBytes.inc(count),
      onChunk: (outcome, seconds, bytes) => {
        chunks.observe({ outcome }, seconds);
        chunkBytes.inc(bytes);
      },
      onChunkTurn: (seconds) => chunkTurns.observe(seconds),
      onDecrypted: (seconds) => decrypted.observe(seconds),
      onChunkStored: () => chunksStored.inc(),
      onChunkFetches: (running, waiting) => {
        chunksInFlight.inc(running);
        chunksWaiting.inc(waiting);
      },
      onFlood: (outcome, seconds) => floods.observe({ outcome }, seconds),
      onUpdates: (outcome, count) => updates.inc({ outcome }, count),
      onGap: (cause) => updateGaps.inc({ cause }),
      onDifference: (outcome) => differences.inc({ outcome }),
      onEvent: (type) => events.inc({ type }),
      onUpdateQueue: (change) => updateQueue.inc(change),
    },
    whatsapp: {
      onConnectionEnd: (reason) => whatsappEnds.inc({ reason }),
      onBytes: (count) => whatsappBytes.inc(count),
      onVersion: ({ spoken, found, foundAtSeconds }) => {
        whatsappRevision.set({ kind: "spoken" }, spoken);
        if (found !== undefined) whatsappRevision.set({ kind: "found" }, found);
        if (foundAtSeconds !== undefined) whatsappFoundAt.set(foundAtSeconds);
      },
      onPasskeyEnded: (step, outcome) => passkeys.inc({ step, outcome }),
      onVersionLookUp: (outcome) => whatsappLookUps.inc({ outcome }),
      onVersionRefused: () => whatsappRefused.inc(),
      onSend: (outcome, seconds) => whatsappSends.observe({ outcome }, seconds),
    },
    webhook: {
      attempt: (outcome, seconds) => attempts.observe({ outcome }, seconds),
      delivered: (ageSeconds) => deliveredAge.observe(ageSeconds),
      dead: (reason, count) => deadLetters.inc({ reason }, count),
    },
    news: (outcome, count) => news.inc({ outcome }, count),
    fenced: () => fenced.inc(),
    quotaWaited: (quota, seconds) => quotaWaits.observe({ quota }, seconds),
    deletedMediaLeft: () => deletedMediaLeft.inc(),
    massDeleteBlocked: (value) => massDelete.set(value ? 1 : 0),
    downloadFinished: (outcome, seconds, bytes) => {
      downloads.observe({ outcome }, seconds);
      downloadBytes.inc(bytes);
    },
    downloadBlocked: (reason) => blocked.inc({ reason }),
    paced: (platform, outcome) => paced.inc({ platform, pace: "sends", outcome }),
    refused: (platform, kind, refusalClass) => refusals.inc({ platform, kind, class: refusalClass }),
    proxyFailed: (kind) => proxyFaults.inc({ kind }),
    renderTask: (task, outcome, seconds) => render.observe({ task, outcome }, seconds),
    renderRestart: () => renderRestarts.inc(),
    watch: (gauges) => watchGauges(registry, gauges),
  };
}

function watchGauges(registry: MetricsRegistry, gauges: ShardGauges): void {
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
  for (const [name, help, read] of rows) {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  }
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
