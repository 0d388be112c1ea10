import type { AuditMetrics } from "../shared/cluster/audit/audit-writer.js";
import type { CommandMetrics, CommandStage } from "./bus/command-metrics.js";
import type { ReplicaMetrics } from "./redis/replica-gate.js";
import type { RewriteMetrics, RewriteOutcome } from "./cluster/aof-rewriter.js";
import type { ResealMetrics } from "./cluster/keyring/resealer.js";
import type { ProxyFaultKind } from "./egress/proxy-fault.js";
import type { HostMetrics } from "./cluster/host.js";
import type { TelegramMetrics } from "./telegram/services.js";
import { createTelegramMetrics } from "./telegram/metrics.js";
import { createWhatsAppMetrics } from "./whatsapp/metrics.js";
import type { WhatsAppMetrics } from "./whatsapp/services.js";
import type { RefusalClass, RefusalKind } from "./session/refusal.js";
import type { LiveEventMetrics } from "./session/live-events/live-event-writer.js";
import type { DeliveryMetrics } from "./webhook/delivery-parts.js";
import type { Platform } from "../shared/contract/platform.js";
import { Counter, Gauge, Histogram, type MetricsRegistry } from "../shared/process/metrics/registry.js";
import { stageBuckets } from "../shared/process/metrics/stage-buckets.js";
import { TalliedHistogram, type Tally } from "../shared/process/metrics/tallied-histogram.js";
import type { ShardQuota } from "./tenant/quota-gauges.js";
import { durationBuckets } from "./flow/duration-buckets.js";

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
  liveEvents: LiveEventMetrics["liveEvents"];
  fenced: () => void;
  massDeleteBlocked: (blocked: boolean) => void;
  /** Called after a wait for a place of the tenant's quota. */
  quotaWaited: (quota: ShardQuota, seconds: number) => void;
  deletedMediaLeft: () => void;
  downloadFinished: (outcome: string, seconds: number, bytes: number) => void;
  downloadBlocked: (reason: string) => void;
  /** A connection failed at the proxy of its session or tenant. */
  proxyFailed: (kind: ProxyFaultKind) => void;
  /** A platform refused a command, or a connection. */
  refused: (platform: Platform, kind: RefusalKind, refusalClass: RefusalClass) => void;
  /** A message waited for the pace of its session, or was refused by it. */
  paced: (platform: Platform, outcome: "waited" | "refused") => void;
  renderTask: (task: string, outcome: string, seconds: number) => void;
  renderRestart: () => void;
}

/**
 * Declares the counters of a shard, those of each platform in its folder. Gauges are declared beside the parts that they read. Labels come
 * from closed sets, so that their number is bounded.
 */
export function createShardMetrics(registry: MetricsRegistry): ShardMetrics {
  const registers = [registry];
  const commandSeconds = new TalliedHistogram({
    name: "gateway_shard_command_seconds",
    help: "Time from reading a command to its reply",
    labelNames: ["command", "class", "outcome"],
    buckets: durationBuckets,
    registers,
  });
  const commandAge = new TalliedHistogram({
    name: "gateway_shard_command_age_seconds",
    help: "Age of a command when the shard reads it",
    labelNames: [],
    buckets: durationBuckets,
    registers,
  }).tally({});
  const commandStages = new TalliedHistogram({
    name: "gateway_shard_command_stage_seconds",
    help: "Time that a command waits to start (begin), spends at the platform (platform), and takes to store its outcome (record) and write its reply (reply)",
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
    help: "Commands run again after their first owner died",
    registers,
  });
  const undelivered = new Counter({
    name: "gateway_shard_replies_unheard_total",
    help: "Command outcomes that no router received because the caller's router had no reply stream for 12 seconds",
    registers,
  });
  const rejected = new Counter({
    name: "gateway_shard_commands_turned_away_total",
    help: "Commands rejected because their session or tenant uses its share (share) or the session's queue is full (queue), or dropped as their caller left (left)",
    labelNames: ["reason"],
    registers,
  });
  const paced = new Counter({
    name: "gateway_shard_paced_messages_total",
    help: "Messages that waited or got a 429 by the pace for all messages (sends) or first messages (new-contacts), or as the platform restricts the account (brake)",
    labelNames: ["platform", "pace", "outcome"],
    registers,
  });
  const opened = new Counter({ name: "gateway_shard_sessions_opened_total", help: "Sessions opened", labelNames: ["platform"], registers });
  const closed = new Counter({ name: "gateway_shard_sessions_closed_total", help: "Sessions closed", labelNames: ["platform"], registers });
  const states = new Counter({
    name: "gateway_shard_session_states_total",
    help: "Changes of session state, by new state",
    labelNames: ["platform", "state"],
    registers,
  });
  const fenced = new Counter({
    name: "gateway_shard_leases_lost_total",
    help: "Times that this shard stopped its work because it lost its lease",
    registers,
  });
  const massDelete = new Gauge({
    name: "gateway_shard_mass_delete_blocked",
    help: "1 while the limit on mass deletions blocks deletions, else 0",
    registers,
  });
  const downloads = new Histogram({
    name: "gateway_shard_download_seconds",
    help: "Duration of downloads from callers' URLs",
    labelNames: ["outcome"],
    buckets: durationBuckets,
    registers,
  });
  const downloadBytes = new Counter({ name: "gateway_shard_download_bytes_total", help: "Bytes downloaded from callers' URLs", registers });
  const blocked = new Counter({
    name: "gateway_shard_ssrf_blocked_total",
    help: "Addresses that the downloader rejected",
    labelNames: ["reason"],
    registers,
  });
  const proxyFaults = new Counter({
    name: "gateway_shard_proxy_failures_total",
    help: "Platform and media connections that failed at the proxy of their session or tenant, by kind of failure",
    labelNames: ["kind"],
    registers,
  });
  const refusals = new Counter({
    name: "gateway_shard_refusals_total",
    help: "Commands and connection attempts that platforms rejected, by kind of refusal and class of command",
    labelNames: ["platform", "kind", "class"],
    registers,
  });
  // An alert uses its increase, so the series must begin at 0.
  refusals.inc({ platform: "telegram", kind: "outdated", class: "connect" }, 0);
  const deletedMediaLeft = new Counter({
    name: "gateway_shard_telegram_deletions_left_total",
    help: "Deletions that left file descriptions in the cache because it did not respond or too many deletions were queued",
    registers,
  });
  const attempts = new Histogram({
    name: "gateway_shard_webhook_attempt_seconds",
    help: "Duration of webhook requests, by outcome",
    labelNames: ["outcome"],
    buckets: durationBuckets,
    registers,
  });
  const deliveredAge = new Histogram({
    name: "gateway_shard_webhook_delivered_age_seconds",
    help: "Age of a webhook event when its receiver accepted it",
    buckets: [...durationBuckets, 900, 3_600, 86_400],
    registers,
  });
  const deadLetters = new Counter({
    name: "gateway_shard_webhook_dead_letters_total",
    help: "Webhook events moved to the dead letters, by reason",
    labelNames: ["reason"],
    registers,
  });
  // Alerts use the increase of these series. A series that begins with its first event shows no increase.
  for (const reason of ["expired", "attempts", "unreadable", "full"] satisfies Parameters<DeliveryMetrics["dead"]>[0][])
    deadLetters.inc({ reason }, 0);
  attempts.zero({ outcome: "delivered" });
  const render = new Histogram({
    name: "gateway_shard_render_seconds",
    help: "Duration of render tasks and extractions of video frames, including time in the queue",
    labelNames: ["task", "outcome"],
    buckets: durationBuckets,
    registers,
  });
  const idempotent = new Counter({
    name: "gateway_shard_idempotent_commands_total",
    help: "Commands that were replayed, waited for the first one (waited), reused an idempotency key (conflict) or exceeded their session's number of keys (full)",
    labelNames: ["outcome"],
    registers,
  });
  const auditRows = new Counter({
    name: "gateway_shard_audit_rows_total",
    help: "Audit entries, by whether Redis stored them (written) or only the log has them (lost)",
    labelNames: ["outcome"],
    registers,
  });
  // An alert uses their increase, so the series must begin at 0.
  for (const outcome of ["written", "lost"]) auditRows.inc({ outcome }, 0);
  const resealed = new Counter({
    name: "gateway_shard_resealed_texts_total",
    help: "Stored texts that a rotation of CRED_KEYS re-encrypted, or could not decrypt and left unchanged (failed)",
    labelNames: ["outcome"],
    registers,
  });
  resealed.inc({ outcome: "failed" }, 0);
  const aofRewrites = new Counter({
    name: "gateway_shard_aof_rewrites_total",
    help: "Rewrites of Redis's append-only file that erase the secrets of deleted sessions, with outcome off if Redis has no such file",
    labelNames: ["outcome"],
    registers,
  });
  for (const outcome of ["refused", "failed"] satisfies RewriteOutcome[]) aofRewrites.inc({ outcome }, 0);
  const replicaWaits = new Histogram({
    name: "gateway_shard_redis_replica_wait_seconds",
    help: "Time spent waiting for a Redis replica to confirm writes that must survive a failover",
    buckets: [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2],
    registers,
  });
  const replicated = new Counter({
    name: "gateway_shard_redis_replicated_writes_total",
    help: "Writes that must survive a failover, confirmed by a Redis replica (confirmed) or by none in time (unconfirmed)",
    labelNames: ["outcome"],
    registers,
  });
  replicated.inc({ outcome: "confirmed" }, 0);
  replicated.inc({ outcome: "unconfirmed" }, 0);
  const renderRestarts = new Counter({
    name: "gateway_shard_render_restarts_total",
    help: "Render processes that exited unexpectedly",
    registers,
  });
  const quotaWaits = new Histogram({
    name: "gateway_shard_quota_wait_seconds",
    help: "Time that downloads, renders and media chunks (downloads) or webhook requests (webhooks) waited for their tenant's concurrency quota",
    labelNames: ["quota"],
    buckets: durationBuckets,
    registers,
  });
  const liveEvents = new Counter({
    name: "gateway_shard_news_total",
    help: "Events for operators' streams by whether Redis stored them (written), no client was listening (skipped) or Redis rejected them (lost)",
    labelNames: ["outcome"],
    registers,
  });
  liveEvents.inc({ outcome: "lost" }, 0);
  return {
    auditRows: (outcome, rows) => auditRows.inc({ outcome }, rows),
    commands: {
      observe: (command, commandClass, outcome, seconds) => commandSeconds.observeAs([command, commandClass, outcome], seconds),
      stage: (platform, stage, ms) => stages[platform][stage].observe(ms / 1_000),
      age: (seconds) => commandAge.observe(seconds),
      repeated: () => repeats.inc(),
      undelivered: () => undelivered.inc(),
      idempotent: (outcome) => idempotent.inc({ outcome }),
      rejected: (reason) => rejected.inc({ reason }),
    },
    host: {
      sessionOpened: (platform) => opened.inc({ platform }),
      sessionClosed: (platform) => closed.inc({ platform }),
      stateEntered: (platform, state) => states.inc({ platform, state }),
      newContactRefused: (platform) => paced.inc({ platform, pace: "new-contacts", outcome: "refused" }),
      firstMessageBlocked: (platform) => paced.inc({ platform, pace: "brake", outcome: "refused" }),
    },
    replication: {
      replicated: (writes, confirmed, seconds) => {
        replicaWaits.observe(seconds);
        replicated.inc({ outcome: confirmed ? "confirmed" : "unconfirmed" }, writes);
      },
    },
    erasure: { aofRewritten: (outcome) => aofRewrites.inc({ outcome }) },
    keyring: { resealed: (outcome, texts) => resealed.inc({ outcome }, texts) },
    telegram: createTelegramMetrics(registry),
    whatsapp: createWhatsAppMetrics(registry),
    webhook: {
      attempt: (outcome, seconds) => attempts.observe({ outcome }, seconds),
      delivered: (ageSeconds) => deliveredAge.observe(ageSeconds),
      dead: (reason, count) => deadLetters.inc({ reason }, count),
    },
    liveEvents: (outcome, count) => liveEvents.inc({ outcome }, count),
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
  };
}
