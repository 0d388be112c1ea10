import { randomUUID } from "node:crypto";
import { Descriptors } from "../shared/metrics/descriptors.js";
import { residentBytes } from "../shared/process/resident-bytes.js";
import { RedisClock } from "./redis/redis-clock.js";
import { ReplicaGate } from "./redis/replica-gate.js";
import { appendRows } from "../shared/audit/append-rows.js";
import { createAuditLog } from "../shared/audit/audit-log.js";
import { AuditWriter } from "../shared/audit/audit-writer.js";
import type { TenantName } from "../shared/contract/tenant.js";
import { MemberWatch } from "../shared/cluster/member-watch.js";
import { ProcessReporter } from "../shared/cluster/process-reporter.js";
import { requireFit } from "../shared/cluster/require-fit.js";
import { LoopLag } from "../shared/flow/loop-lag.js";
import type { Log } from "../shared/log/logger.js";
import { AdminServer } from "../shared/metrics/admin-server.js";
import { RedisProbe } from "../shared/metrics/redis-probe.js";
import { createRegistry } from "../shared/metrics/registry.js";
import type { Lifecycle } from "../shared/process/lifecycle.js";
import { tellSupervisor } from "../shared/process/run.js";
import { version } from "../shared/process/version.js";
import { connectRedis } from "../shared/redis/connect.js";
import { keys } from "../shared/redis/keys.js";
import { confirmKept } from "../shared/redis/script.js";
import { openTracing } from "../shared/trace/open-tracing.js";
import { TenantPlaces } from "../shared/tenant/tenant-places.js";
import { SealingFollower } from "../shared/keyring/sealing-follower.js";
import { SchemaFollower } from "../shared/schema/schema-follower.js";
import { newestSchema } from "../shared/schema/schema-version.js";
import { SessionWriter } from "./session/store/session-writer.js";
import { ClusterAudit } from "./audit/cluster-audit.js";
import { CommandServer } from "./bus/command-server.js";
import { PaceLine } from "./bus/pace-line.js";
import { paceRates } from "./pace/pace-rates.js";
import { StreamLength } from "./bus/stream-length.js";
import type { ShardSecrets, ShardSettings } from "./config.js";
import { openFileTools } from "./file-tools.js";
import { Host } from "./host/host.js";
import { LeaseKeeper } from "./host/lease-keeper.js";
import { RefusalWatch } from "./host/refusal-watch.js";
import { SlotKeeper } from "./host/slot-keeper.js";
import { IncomingTurns } from "./incoming/incoming-turns.js";
import { AofRewriter } from "./erasure/aof-rewriter.js";
import { Resealer } from "./keyring/resealer.js";
import type { ShardQuota } from "./gauges.js";
import { createShardMetrics } from "./metrics.js";
import { NewsWriter, type Load } from "./news/news-writer.js";
import { openPlatforms, type PlatformParts } from "./platforms.js";
import { SchemaRaiser } from "./schema/schema-raiser.js";
import { Deadlines, type DeletionClock } from "./session/deadlines.js";
import { SessionQuota } from "./tenant/session-quota.js";
import { TenantSettings } from "./tenant/tenant-settings.js";
import { Courier } from "./webhook/courier.js";
import type { WebhookTiming } from "./webhook/timing.js";

/** Draining all slots at the process's end: a send that has begun is waited for, 30 s at most. */
const drainMs = 40_000;

/** Of a tenant: as many as may wait for a download without a quota. */
const downloadsWaitingMax = 500;

/** Composition root of a shard: builds its parts in the order in which they start. Tests hold the clock of the timers that delete sessions, and shorten the waits of webhooks and of WhatsApp. */
export async function buildShard(
  settings: ShardSettings,
  secrets: ShardSecrets,
  lifecycle: Lifecycle,
  log: Log,
  deletionClock: DeletionClock = {},
  webhookTiming: Partial<WebhookTiming> = {},
  whatsappTiming: PlatformParts["whatsappTiming"] = {},
): Promise<void> {
  const { name, host: hostName, redis, timing } = settings;
  const [writer, reader, heartbeat, subscriber, cache, marker] = await Promise.all([
    connectRedis(redis.coordination, "writer", log),
    connectRedis(redis.coordination, "reader", log),
    connectRedis(redis.coordination, "heartbeat", log),
    connectRedis(redis.coordination, "subscriber", log),
    connectRedis(redis.cache, "writer", log),
    connectRedis(redis.coordination, "writer", log),
  ]);
  const ring = secrets.credentialRing;
  const clusterKeys = { linkKeys: secrets.linkKeys.fingerprints, telegramApiId: settings.telegram.apiId };
  const written = await requireFit({ writer, cache, addresses: redis, ring, own: { host: hostName, ...clusterKeys }, log });
  const schema = new SchemaFollower({ redis: writer, written, log });
  const sealing = new SealingFollower({ redis: writer, ring, log });
  const registry = createRegistry("shard", name);
  const metrics = createShardMetrics(registry);
  const replicas = new ReplicaGate({ redis: marker, waitMs: settings.replicaWaitMs, metrics: metrics.replication, log });
  confirmKept(writer, (key) => replicas.confirm(key));
  const tracing = await openTracing("shard", settings, lifecycle);
  const aofRewriter = new AofRewriter({ redis: writer, ...settings.aofRewrite, metrics: metrics.erasure, log });
  const tenantOf = (session: string): TenantName => host.tenantOf(session);
  const tenants = new TenantSettings({
    redis: writer,
    subscriber,
    ring,
    onProxies: (changed) => host.reroute(changed),
    onPaces: (changed) => paceLine.changed(changed),
    log,
  });
  // A fresh name per start: what a former life held ends by itself.
  const life = `${name}:${randomUUID().slice(0, 8)}`;
  const placesOf = (quota: ShardQuota, waitingMax: number): TenantPlaces =>
    new TenantPlaces({
      redis: writer,
      quota,
      member: life,
      limitOf: (tenant) => tenants.limitOf(tenant, quota),
      waitingMax,
      onWaited: (seconds) => metrics.quotaWaited(quota, seconds),
    });
  const downloadPlaces = placesOf("downloads", downloadsWaitingMax);
  // Each session waits at most once.
  const webhookPlaces = placesOf("webhooks", Number.POSITIVE_INFINITY);
  const quota = new SessionQuota(downloadPlaces, tenantOf);
  const { images, videos, downloads } = openFileTools({ settings, quota, tenantOf, metrics, log });
  const incoming = new IncomingTurns({ isShared: () => host.isShared, tenantOf });
  const platforms = openPlatforms({
    whatsappTiming,
    settings,
    secrets,
    images,
    videos,
    downloads,
    quota,
    tenantOf,
    incoming,
    writer,
    cache,
    metrics,
    tracing,
    log,
  });
  const members = new MemberWatch({ redis: writer, subscriber, log, timing });
  const liveShards = (): string[] =>
    members
      .all()
      .filter(({ state }) => state === "active" || state === "draining")
      .map((member) => member.name);
  const schemaRaiser = new SchemaRaiser({ redis: writer, schema, shards: liveShards, log });
  const lease = new LeaseKeeper({
    redis: heartbeat,
    name,
    host: hostName,
    weight: settings.weight,
    mayJoin: () => schema.isWhole(),
    log,
    timing,
  });
  lease.on("joined", (incarnation) => tellSupervisor({ type: "joined", member: name, incarnation }));
  lease.on("fenced", metrics.fenced);
  const clock = new RedisClock(writer, keys.commands(name), log);
  const courier = new Courier({
    guard: settings.webhook,
    clock,
    places: webhookPlaces,
    metrics: metrics.webhook,
    timing: webhookTiming,
    tracing,
    log,
  });
  const loopLag = new LoopLag();
  const auditWriter = new AuditWriter({ append: (rows) => appendRows(writer, rows), metrics, log: createAuditLog("shard", settings) });
  const audit = new ClusterAudit(auditWriter, name);
  const news = new NewsWriter({ redis: writer, member: name, metrics, log });
  const resealer = new Resealer({
    redis: writer,
    ring,
    runner: `${name}:${randomUUID().slice(0, 8)}`,
    metrics: metrics.keyring,
    news,
    log,
  });
  const refusals = new RefusalWatch({ tenantOf, onRefused: metrics.refused, log });
  const host = new Host({
    writer: new SessionWriter(writer, ring),
    platforms,
    lagMs: () => loopLag.ms,
    tenantProxy: (tenant) => tenants.proxyOf(tenant),
    paceOf: (platform, tenant) => paceRates(settings.pace[platform], tenants.paceOf(tenant)),
    youngMs: settings.youngMs,
    qrPng: (session, text) => images.qrPng(text, { key: session }),
    courier,
    metrics: metrics.host,
    refusals,
    audit,
    news,
    log,
  });
  const slots = new SlotKeeper({
    redis: writer,
    subscriber,
    members,
    lease,
    name,
    host: hostName,
    log,
    timing,
    dropMs: Math.max(...Object.values(platforms).map((platform) => platform.dropMs)),
    onProgress: (held) => tellSupervisor({ type: "progress", phase: "slots taken", done: held }),
    onLeft: () => news.load(load),
    onTakenOver: (takeover) => audit.takenOver(takeover),
    listener: {
      acquired: async (acquired) => {
        await host.acquired(acquired);
        news.slots(acquired.map(({ slot }) => slot));
        news.load(load);
      },
      sessionsIn: (taken) => host.sessionsIn(taken),
      drain: async (slot) => {
        await commands.quiesce(slot);
        await host.drain(slot);
      },
      lost: (lost) => {
        commands.abandon(lost);
        host.lost(lost);
      },
    },
  });
  host.attach(slots);
  const paceLine = new PaceLine({
    tenantOf,
    isShared: () => host.isShared,
    onPaced: metrics.paced,
  });
  const commands = new CommandServer({
    member: name,
    writer,
    reader,
    cache,
    clock,
    host,
    slots,
    platforms,
    refusals,
    ring,
    paceLine,
    parked: () => downloads.pending + paceLine.waiting,
    metrics: metrics.commands,
    tracing,
    log,
    timing,
  });
  const reporter = new ProcessReporter({
    redis: writer,
    report: () => ({
      role: "shard",
      name,
      host: hostName,
      version,
      keys: ring.ids,
      schema: newestSchema,
      ...clusterKeys,
      slots: slots.count,
      sessions: host.size,
      loopLagMs: Math.round(loopLag.ms),
      memoryBytes: residentBytes(),
    }),
    log,
  });
  // Whoever hears of it and asks for the members finds the same there.
  const load = (): Load => {
    reporter.tell();
    return { slots: slots.count, sessions: host.size, drained: slots.isDrained };
  };
  const streamLength = new StreamLength(writer, name);
  const probe = new RedisProbe({ role: "shard", registry, name, servers: { coordination: writer, cache }, addresses: settings.redis });
  const deadlines = new Deadlines({
    sessions: () => host.all(),
    live: () => lease.holds(),
    onBlocked: metrics.massDeleteBlocked,
    log,
    ...deletionClock,
  });
  const descriptors = new Descriptors({ registry });
  const admin = new AdminServer({
    ...settings.admin,
    registry,
    notReady: () => [
      ...(members.isAnswered ? [] : ["redis does not answer"]),
      ...descriptors.problems(),
      ...probe.problems(),
      ...schema.problems(),
      ...sealing.problems(),
      ...(lease.holds() ? [] : [lease.nameTaken ?? "no lease"]),
      ...(slots.complete ? [] : ["slots are still with others"]),
    ],
  });
  metrics.watch({
    slots: () => slots.count,
    drained: () => slots.isDrained,
    sessions: () => host.size,
    unreadableSessions: () => host.unreadable,
    proxylessSessions: () => host.proxyless,
    sessionStates: () => host.states,
    strainedSessions: () => refusals.strained(),
    connectQueue: () => host.connects.waiting,
    connectsYielding: () => host.connects.yielding,
    connectsInProgress: () => host.connects.inProgress,
    connectsAllowed: () => host.connects.allowed,
    commandsInFlight: () => commands.running,
    commandsWaiting: () => commands.waiting,
    paceWaiting: () => paceLine.waiting,
    incomingWaiting: () => incoming.waiting,
    commandStreamEntries: () => streamLength.entries,
    leaseSecondsLeft: () => lease.secondsLeft(),
    renderQueue: () => images.pending + videos.pending,
    downloads: () => downloads.pending,
    webhookInFlight: () => courier.inFlight,
    webhookWaiting: () => courier.waiting,
    webhookOldestSeconds: () => courier.oldestSeconds,
    webhookOpenCircuits: () => courier.openCircuits,
    redisReplicas: () => replicas.replicas,
    quotaWaiting: () => ({ downloads: downloadPlaces.waiting, webhooks: webhookPlaces.waiting }),
  });

  lifecycle.add({
    name: "redis",
    stop: () => [writer, reader, heartbeat, subscriber, cache, marker].forEach((client) => client.disconnect()),
  });
  lifecycle.add({ name: "descriptors", start: () => descriptors.start(), stop: () => descriptors.stop() });
  lifecycle.add({ name: "admin server", start: () => admin.start(), stop: () => admin.stop() });
  lifecycle.add({ name: "audit", stop: () => auditWriter.stop() });
  lifecycle.add({ name: "redis probe", start: () => probe.start(), stop: () => probe.stop() });
  lifecycle.add({ name: "replicas", start: () => replicas.start(), stop: () => replicas.stop() });
  lifecycle.add({ name: "stream length", start: () => streamLength.start(), stop: () => streamLength.stop() });
  lifecycle.add({ name: "loop lag", start: () => loopLag.start(), stop: () => loopLag.stop() });
  lifecycle.add({ name: "reporter", start: () => reporter.start(), stop: () => reporter.stop() });
  lifecycle.add({ name: "render pool", start: () => images.start(), stop: () => images.stop(), stopMs: 10_000 });
  lifecycle.add({ name: "video frames", stop: () => videos.stop() });
  lifecycle.add({ name: "downloads", start: () => downloads.start(), stop: () => downloads.stop() });
  lifecycle.add({ name: "redis clock", start: () => clock.start(), stop: () => clock.stop() });
  lifecycle.add({ name: "sealing key", start: () => sealing.start(), stop: () => sealing.stop() });
  lifecycle.add({ name: "schema", start: () => schema.start(), stop: () => schema.stop() });
  lifecycle.add({ name: "aof rewriter", start: () => aofRewriter.start(), stop: () => aofRewriter.stop() });
  lifecycle.add({ name: "resealer", start: () => resealer.start(), stop: () => resealer.stop() });
  lifecycle.add({ name: "member watch", start: () => members.start(), stop: () => members.stop() });
  lifecycle.add({ name: "schema raiser", start: () => schemaRaiser.start(), stop: () => schemaRaiser.stop() });
  lifecycle.add({ name: "lease", start: () => lease.start(), stop: () => lease.stop() });
  lifecycle.add({ name: "tenants' settings", start: () => tenants.start(), stop: () => tenants.stop() });
  lifecycle.add({ name: "download places", start: () => downloadPlaces.start(), stop: () => downloadPlaces.stop() });
  lifecycle.add({ name: "webhook places", start: () => webhookPlaces.start(), stop: () => webhookPlaces.stop() });
  lifecycle.add({ name: "webhook courier", start: () => courier.start(), stop: () => courier.stop() });
  lifecycle.add({ name: "news", stop: () => news.stop() });
  for (const [platform, { background }] of Object.entries(platforms))
    if (background !== undefined) lifecycle.add({ name: platform, start: () => background.start(), stop: () => background.stop() });
  lifecycle.add({ name: "host", stop: () => host.stop() });
  // Commands are read before the first slot is taken, so that no router finds an owner whose stream does not exist.
  lifecycle.add({ name: "command server", start: () => commands.start(), stop: () => commands.stop() });
  lifecycle.add({ name: "slots", start: () => slots.start(), stop: () => slots.stop(), stopMs: drainMs });
  lifecycle.add({ name: "deadlines", start: () => deadlines.start(), stop: () => deadlines.stop() });
  // First in stopping: no other shard gives us slots any more, and routers see it coming.
  lifecycle.add({ name: "membership", stop: () => lease.announce("draining") });
}
