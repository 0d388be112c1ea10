import { randomUUID } from "node:crypto";
import { Descriptors } from "../shared/metrics/descriptors.js";
import { residentBytes } from "../shared/process/resident-bytes.js";
import { appendReads, appendRows } from "../shared/audit/append-rows.js";
import { createAuditLog } from "../shared/audit/audit-log.js";
import { AuditWriter } from "../shared/audit/audit-writer.js";
import { MemberWatch } from "../shared/cluster/member-watch.js";
import { ProcessReporter } from "../shared/cluster/process-reporter.js";
import { requireFit } from "../shared/cluster/require-fit.js";
import { pathPrefix } from "../shared/process/settings.js";
import { LoopLag } from "../shared/flow/loop-lag.js";
import { pause } from "../shared/flow/pause.js";
import type { TenantName } from "../shared/contract/tenant.js";
import type { Log } from "../shared/log/logger.js";
import { ChunkCache } from "../shared/media/chunk-cache.js";
import { DescriptionCache } from "../shared/media/description-cache.js";
import { AdminServer } from "../shared/metrics/admin-server.js";
import { RedisProbe } from "../shared/metrics/redis-probe.js";
import { createRegistry } from "../shared/metrics/registry.js";
import type { Lifecycle } from "../shared/process/lifecycle.js";
import { version } from "../shared/process/version.js";
import { TenantPlaces } from "../shared/tenant/tenant-places.js";
import { BulkReader } from "./redis/bulk-reader.js";
import { connectRedis } from "../shared/redis/connect.js";
import { keys as keysInRedis } from "../shared/redis/keys.js";
import { TrackedServers } from "./redis/tracked-servers.js";
import { openTracing } from "../shared/trace/open-tracing.js";
import { SealingFollower } from "../shared/keyring/sealing-follower.js";
import { SchemaFollower } from "../shared/schema/schema-follower.js";
import { newestSchema } from "../shared/schema/schema-version.js";
import { OpenedRecords } from "./records/opened-records.js";
import { SessionReader } from "./records/session-reader.js";
import { SessionRecords } from "./records/session-records.js";
import { createAdminApi } from "./admin/admin-api.js";
import { Audit } from "./audit/audit.js";
import { CommandClient } from "./bus/command-client.js";
import { watchMemberDeaths } from "./bus/member-deaths.js";
import { SlotOwners } from "./bus/slot-owners.js";
import type { RouterSecrets, RouterSettings } from "./config.js";
import { createConsole } from "./console/create-console.js";
import { Admission } from "./endpoint/admission.js";
import { HttpApp } from "./http/app.js";
import { splitRoute } from "./http/handler.js";
import { Creations } from "./idempotency/creations.js";
import { CredentialGuard } from "./guard/credential-guard.js";
import { FailureFeed } from "./guard/failure-feed.js";
import { CallerAddresses } from "./http/caller-addresses.js";
import { DeletionFeed } from "./media/deletion-feed.js";
import { mountOpenApi } from "./openapi/mount-openapi.js";
import { mountPasskey } from "./passkey/mount-passkey.js";
import { MediaBytes } from "./media/media-bytes.js";
import { MediaSessions } from "./media/media-sessions.js";
import { RouterMetrics } from "./metrics.js";
import { tellOfMember, watchMembers } from "./news/member-news.js";
import { NewsFeed } from "./news/news-feed.js";
import { DirectoryStore } from "./tenant/directory-store.js";
import { KeyDirectory } from "./tenant/key-directory.js";
import { KeyUses } from "./tenant/key-uses.js";
import { MessageDays } from "./tenant/message-days.js";
import type { Quotas } from "./tenant/records.js";
import { byteLimits, requestLimits } from "./tenant/rate-limits.js";
import { SessionMoves } from "./tenant/session-moves.js";
import { SessionPlaces } from "./tenant/session-places.js";
import { TenantRates } from "./tenant/tenant-rates.js";
import { mountEntry } from "./static/mount-entry.js";
import { createTelegramApi } from "./telegram/telegram-api.js";
import { WebhookSettingsReader } from "./telegram/webhook-settings.js";
import { passkeyPages } from "./whatsapp/passkey-pages.js";
import { passkeyRoutes } from "./whatsapp/routes.js";
import { createWhatsAppApi } from "./whatsapp/whatsapp-api.js";

/** Requests of a tenant that wait a moment for one of its places, as others may be about to give back some. */
const requestsWaitingMax = 100;

/** Composition root of a router: builds its parts in the order in which they start. */
export async function buildRouter(settings: RouterSettings, secrets: RouterSecrets, lifecycle: Lifecycle, log: Log): Promise<HttpApp> {
  const { timing } = settings;
  const { coordination, cache: cacheAddress } = settings.redis;
  const [writer, reader, subscriber, cache] = await Promise.all([
    connectRedis(coordination, "writer", log),
    connectRedis(coordination, "reader", log),
    connectRedis(coordination, "subscriber", log),
    connectRedis(cacheAddress, "writer", log),
  ]);
  const ring = secrets.credentialRing;
  const linkKeys = secrets.linkKeys.fingerprints;
  const own = { host: settings.host, linkKeys };
  const written = await requireFit({ writer, cache, addresses: settings.redis, ring, own, log });
  const schema = new SchemaFollower({ redis: writer, written, log });
  const sealing = new SealingFollower({ redis: writer, ring, log });
  const registry = createRegistry("router", settings.name);
  const metrics = new RouterMetrics(registry);
  const opened = new OpenedRecords(ring, metrics);
  const members = new MemberWatch({ redis: writer, subscriber, log, timing });
  const tracing = await openTracing("router", settings, lifecycle);
  const store = new DirectoryStore(writer);
  const uses = new KeyUses(store, log);
  const keys = new KeyDirectory({ store, schema, subscriber, configured: secrets.configuredKeys, uses, log });
  watchMemberDeaths(members, (cause) => metrics.memberDied(cause));
  const probe = new RedisProbe({
    role: "router",
    registry,
    name: settings.name,
    servers: { coordination: writer, cache },
    addresses: settings.redis,
  });
  const feed = new TrackedServers({ redis: writer, address: coordination, log });
  const records = new SessionRecords({ feed, redis: writer, opened, metrics });
  metrics.watch(registry, {
    members: () => members.all(),
    directory: () => keys.extent,
    openedBytes: () => opened.size,
    currentBytes: () => records.bytes,
  });
  const owners = new SlotOwners({ feed, redis: writer, subscriber, members });
  // A fresh name per start: replies to a former life of this router go nowhere.
  const router = `${settings.name}:${randomUUID().slice(0, 8)}`;
  const commands = new CommandClient({
    router,
    writer,
    reader,
    cache,
    owners,
    ring,
    emptiedForMs: () => schema.emptiedForMs(),
    metrics: metrics.commands,
    tracing,
    log,
    timing,
  });
  const auditLog = createAuditLog("router", settings);
  const audit = new Audit({
    writer: new AuditWriter({ append: (rows) => appendRows(writer, rows), metrics, log: auditLog }),
    reads: new AuditWriter({ append: (rows) => appendReads(writer, rows), metrics, log: auditLog }),
  });
  const prefixes = { whatsapp: toPrefix(settings.baseUrls.whatsapp), telegram: toPrefix(settings.baseUrls.telegram) };
  const passkeyPath = `${prefixes.whatsapp}${splitRoute(passkeyRoutes["get-passkey"].route)[1]}` as const;
  const app = new HttpApp({
    ...settings.http,
    openPath: passkeyPages(passkeyPath),
    limits: { newcomersPerAddress: settings.newcomersPerAddress },
    audit,
    tracing,
    metrics,
    log,
  });
  const { delayMs, graceMs } = settings.shutdown;
  // Callers are served between the two alone.
  const phase = { now: "starting" as "starting" | "serving" | "stopping" };
  const descriptors = new Descriptors({ registry });
  const admin = new AdminServer({
    ...settings.admin,
    registry,
    notReady: () => [
      ...(phase.now === "serving" ? [] : [phase.now]),
      ...(members.isAnswered ? [] : ["redis does not answer"]),
      ...descriptors.problems(),
      ...probe.problems(),
      ...schema.problems(),
      ...sealing.problems(),
      ...(members.all().some((member) => member.state === "active") ? [] : ["no active shard"]),
    ],
  });
  const loopLag = new LoopLag();
  const reporter = new ProcessReporter({
    redis: writer,
    report: () => ({
      role: "router",
      name: settings.name,
      host: settings.host,
      version,
      keys: ring.ids,
      schema: newestSchema,
      linkKeys,
      loopLagMs: Math.round(loopLag.ms),
      memoryBytes: residentBytes(),
    }),
    log,
  });
  const bulk = new BulkReader({ redis: cache, address: cacheAddress, log });
  const deletions = new DeletionFeed(subscriber);
  const sessions = new SessionReader(writer, members, owners, records, schema);
  const places = new SessionPlaces(writer, metrics);
  const moves = new SessionMoves(writer, metrics);
  const quotasOf = (tenant: TenantName): Partial<Quotas> | undefined => keys.tenant(tenant)?.quotas;
  const requests = new TenantRates({
    redis: writer,
    key: keysInRedis.tenantRequests,
    limitsOf: (tenant) => requestLimits(quotasOf(tenant)),
    onRefused: () => metrics.quotaReached("requestsPerSecond"),
  });
  const mediaBytes = new TenantRates({
    redis: writer,
    key: keysInRedis.tenantMediaBytes,
    limitsOf: (tenant) => byteLimits(quotasOf(tenant)),
    onRefused: () => undefined,
  });
  const inFlight = new TenantPlaces({
    redis: writer,
    quota: "inFlight",
    member: router,
    limitOf: (tenant) => quotasOf(tenant)?.inFlight ?? undefined,
    waitingMax: requestsWaitingMax,
  });
  const messages = new MessageDays({ redis: writer, quotasOf, metrics });
  const guard = new CredentialGuard({
    perMinute: settings.failedAuthPerMinute,
    callers: new CallerAddresses(settings.http.trustedProxies),
    metrics,
  });
  const failures = new FailureFeed({ router, guard, writer, subscriber });
  const creations = new Creations(writer, ring, metrics);
  const checked = (ms: number): void => metrics.commands.stage("check", ms);
  const admission = new Admission(requests, inFlight, metrics);
  const callers = {
    keys,
    guard,
    places,
    admission,
    messages,
    checked,
    creations,
    ring,
  };
  createWhatsAppApi({ ...callers, app, prefix: prefixes.whatsapp, sessions, commands, log });
  createTelegramApi({
    app,
    prefix: prefixes.telegram,
    sessions,
    mediaSessions: new MediaSessions({ platform: "telegram", records, reader: sessions, owners, members }),
    commands,
    chunks: new ChunkCache(cache, bulk),
    describe: new DescriptionCache(cache, ring),
    deletions,
    links: secrets.linkKeys,
    webhooks: new WebhookSettingsReader(ring),
    bytes: new MediaBytes(mediaBytes, () => metrics.quotaReached("mediaBytesPerSecond")),
    ...callers,
    memoryBytes: settings.chunkMemoryBytes,
    streams: settings.mediaStreams,
    metrics: metrics.media,
    log,
  });
  const news = new NewsFeed({ redis: writer, stands: (principal) => keys.stands(principal), metrics, log });
  watchMembers(members, (member) => {
    tellOfMember(writer, member).catch((error: unknown) => log.warn({ err: error, member: member.name }, "news of a member were not told"));
  });
  mountPasskey(app, passkeyPath);
  createConsole({ app, keys, guard, prefixes, sandbox: settings.sandboxUrl, log });
  mountEntry(app, settings.describesApi);
  if (settings.describesApi) mountOpenApi(app, prefixes);
  createAdminApi({
    app,
    ring,
    schema,
    sessions,
    commands,
    redis: writer,
    members,
    directory: keys,
    store,
    places,
    moves,
    news,
    guard,
    admission,
    log,
  });

  lifecycle.add({ name: "bulk reader", start: () => bulk.start(), stop: () => bulk.stop() });
  lifecycle.add({
    name: "redis",
    stop: () => [writer, reader, subscriber, cache].forEach((redis) => redis.disconnect()),
  });
  lifecycle.add({ name: "descriptors", start: () => descriptors.start(), stop: () => descriptors.stop() });
  lifecycle.add({ name: "admin server", start: () => admin.start(), stop: () => admin.stop() });
  lifecycle.add({ name: "loop lag", start: () => loopLag.start(), stop: () => loopLag.stop() });
  lifecycle.add({ name: "reporter", start: () => reporter.start(), stop: () => reporter.stop() });
  lifecycle.add({ name: "redis probe", start: () => probe.start(), stop: () => probe.stop() });
  lifecycle.add({ name: "sealing key", start: () => sealing.start(), stop: () => sealing.stop() });
  lifecycle.add({ name: "schema", start: () => schema.start(), stop: () => schema.stop() });
  lifecycle.add({ name: "member watch", start: () => members.start(), stop: () => members.stop() });
  lifecycle.add({ name: "request rates", start: () => requests.start(), stop: () => requests.stop() });
  lifecycle.add({ name: "requests in flight", start: () => inFlight.start(), stop: () => inFlight.stop() });
  lifecycle.add({ name: "media rates", start: () => mediaBytes.start(), stop: () => mediaBytes.stop() });
  lifecycle.add({ name: "key uses", start: () => uses.start(), stop: () => uses.stop() });
  lifecycle.add({ name: "key directory", start: () => keys.start(), stop: () => keys.stop() });
  lifecycle.add({ name: "tracked reads", start: () => feed.start(), stop: () => feed.stop() });
  lifecycle.add({ name: "deletion feed", start: () => deletions.start(), stop: () => deletions.stop() });
  lifecycle.add({ name: "failure feed", start: () => failures.start(), stop: () => failures.stop() });
  lifecycle.add({ name: "slot owners", start: () => owners.start(), stop: () => owners.stop() });
  lifecycle.add({ name: "command client", start: () => commands.start(), stop: () => commands.stop() });
  lifecycle.add({ name: "audit", start: () => audit.start(), stop: () => audit.stop() });
  lifecycle.add({ name: "http", start: () => app.listen(), stop: () => app.stop(graceMs), stopMs: graceMs + 2_000 });
  lifecycle.add({ name: "news feed", stop: () => news.stop() });
  lifecycle.add({
    name: "readiness",
    start: () => {
      phase.now = "serving";
    },
    stop: async () => {
      phase.now = "stopping";
      app.leave();
      await pause(delayMs);
    },
    stopMs: delayMs + 1_000,
  });
  return app;
}

function toPrefix(baseUrl: string): "" | `/${string}` {
  const prefix = pathPrefix(baseUrl);
  return prefix === "" ? "" : `/${prefix.slice(1)}`;
}
