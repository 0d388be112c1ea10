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
import type { NewsMetrics } from "./session/news/news-writer.js";
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
  news: NewsMetrics["news"];
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
  const commandSeconds = new Histogram({
    name: "gateway_shard_command_seconds",
    help: "Time from taking a command to its reply",
    labelNames: ["command", "class", "outcome"],
    buckets: durationBuckets,
    registers,
  });
  const commandAge = new TalliedHistogram({
    name: "gateway_shard_command_age_seconds",
    help: "Age of a command when it was taken",
    labelNames: [],
    buckets: durationBuckets,
    registers,
  }).tally({});
  const commandStages = new TalliedHistogram({
    name: "gateway_shard_command_stage_seconds",
    help: "Time of each stage of a command in this shard, after its age in the stream: begin (its lane, its turn, its record), platform (its platform's part), record (of its outcome), reply (until the reply is in Redis; its entry is removed later)",
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
    buckets: durationBuckets,
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
  // An alert uses its increase, so the series must begin at 0.
  refusals.inc({ platform: "telegram", kind: "outdated", class: "connect" }, 0);
  const deletedMediaLeft = new Counter({
    name: "gateway_shard_telegram_deletions_left_total",
    help: "Deletions after which the cache kept descriptions of files, because it did not answer or too many waited for it; no link shows them",
    registers,
  });
  const attempts = new Histogram({
    name: "gateway_shard_webhook_attempt_seconds",
    help: "Webhook requests, by how they ended",
    labelNames: ["outcome"],
    buckets: durationBuckets,
    registers,
  });
  const deliveredAge = new Histogram({
    name: "gateway_shard_webhook_delivered_age_seconds",
    help: "Age of a webhook event when its receiver had it",
    buckets: [...durationBuckets, 900, 3_600, 86_400],
    registers,
  });
  const deadLetters = new Counter({
    name: "gateway_shard_webhook_dead_letters_total",
    help: "Webhook events that were given up",
    labelNames: ["reason"],
    registers,
  });
  // Alerts use the increase of these series. A series that begins with its first event shows no increase.
  for (const reason of ["expired", "attempts", "unreadable", "full"] satisfies Parameters<DeliveryMetrics["dead"]>[0][])
    deadLetters.inc({ reason }, 0);
  attempts.zero({ outcome: "delivered" });
  const render = new Histogram({
    name: "gateway_shard_render_seconds",
    help: "Render tasks and first frames of videos, waiting included",
    labelNames: ["task", "outcome"],
    buckets: durationBuckets,
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
  // An alert uses their increase, so the series must begin at 0.
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
    buckets: durationBuckets,
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
    telegram: createTelegramMetrics(registry),
    whatsapp: createWhatsAppMetrics(registry),
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
  };
}
