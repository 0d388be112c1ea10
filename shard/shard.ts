import type { LocalBus } from "../shared/bus/local-bus.js";
import { requireFit } from "../shared/cluster/require-fit.js";
import type { Log } from "../shared/log/logger.js";
import { createRegistry } from "../shared/process/metrics/registry.js";
import type { Lifecycle, NamedPart } from "../shared/process/lifecycle.js";
import { openTracing } from "../shared/process/trace/open-tracing.js";
import type { ShardSecrets, ShardSettings } from "./config.js";
import type { ShardContext } from "./context.js";
import { HostedSessions } from "./cluster/hosted-sessions.js";
import { IncomingTurns, watchIncoming } from "./tenant/incoming-turns.js";
import { createShardMetrics } from "./metrics.js";
import { openAdmin } from "./open-admin.js";
import { openCluster } from "./open-cluster.js";
import { openCommands } from "./open-commands.js";
import { openDelivery } from "./open-delivery.js";
import { openFiles } from "./open-files.js";
import { openHost } from "./open-host.js";
import { openOperations } from "./open-operations.js";
import { openRedis } from "./open-redis.js";
import { openSlots } from "./open-slots.js";
import { openStorage } from "./open-storage.js";
import { openTenants } from "./open-tenants.js";
import { openPlatforms, type PlatformParts } from "./platforms.js";
import type { DeletionClock } from "./session/deadlines.js";
import type { PlatformRegistry } from "./session/platform-adapter.js";
import { SessionQuota } from "./tenant/session-quota.js";
import type { WebhookTiming } from "./webhook/timing.js";

/** Replacements for tests: the clock of the timers that delete sessions, and the waits of webhooks and of WhatsApp. */
export interface ShardOverrides {
  readonly deletionClock: DeletionClock;
  readonly webhookTiming: Partial<WebhookTiming>;
  readonly whatsappTiming: PlatformParts["whatsappTiming"];
}

export interface ShardOptions {
  readonly settings: ShardSettings;
  readonly secrets: ShardSecrets;
  readonly lifecycle: Lifecycle;
  readonly log: Log;
  /** Set if a router runs in the same process. */
  readonly local?: LocalBus;
  readonly overrides?: Partial<ShardOverrides>;
}

/** Composition root of a shard: opens its parts in the order of their dependencies, and registers the order in which they start. */
export async function buildShard({ settings, secrets, lifecycle, log, local, overrides = {} }: ShardOptions): Promise<void> {
  const { deletionClock = {}, webhookTiming = {}, whatsappTiming = {} } = overrides;
  const redis = await openRedis(settings.redis, log);
  const { writer, cache } = redis;
  const ring = secrets.credentialRing;
  const { app } = settings.telegram;
  const clusterKeys = { linkKeys: secrets.linkKeys.fingerprints, ...(app === undefined ? {} : { telegramApiId: app.apiId }) };
  const own = { host: settings.host, ...clusterKeys, hasNoApp: app === undefined };
  const written = await requireFit({ writer, cache, addresses: settings.redis, ring, own, log });
  const registry = createRegistry("shard", settings.name);
  const metrics = createShardMetrics(registry);
  const hosted = new HostedSessions((platform) => metrics.host.sessionClosed(platform));
  const { tenantOf, isShared } = hosted;
  const tracing = await openTracing("shard", settings, lifecycle);
  const context: ShardContext = { settings, secrets, redis, registry, metrics, tracing, hosted, log };

  const operations = openOperations(context);
  const { probe, streamLength, liveEvents } = operations;
  const storage = openStorage(context, { written, liveEvents });
  const cluster = openCluster(context, storage.schema);
  const tenants = openTenants(context);
  const { places, paceLine } = tenants;
  const quota = new SessionQuota(places.downloads, tenantOf);
  const files = openFiles(context, quota);
  const incoming = new IncomingTurns({ isShared, tenantOf });
  watchIncoming(registry, incoming);
  const platforms = openPlatforms(context, { whatsappTiming, files, quota, incoming, local });
  const delivery = openDelivery(context, { clock: storage.clock, places: places.webhooks, timing: webhookTiming });
  const hosting = openHost(context, {
    lease: cluster.lease,
    operations,
    tenants: tenants.settings,
    platforms,
    images: files.images,
    courier: delivery.courier,
  });
  const serving = openCommands(context, {
    hosting,
    platforms,
    clock: storage.clock,
    paceLine,
    downloads: files.downloads,
    probe,
    streamLength,
    local,
  });
  const slots = openSlots(context, {
    cluster,
    operations,
    hosting,
    commands: serving.commands,
    platforms,
    clusterKeys,
    deletionClock,
  });
  const admin = openAdmin(context, { probe, storage, cluster, slots: slots.keeper });

  lifecycle.add(
    ...redis.lifecycle,
    ...admin.lifecycle,
    ...operations.lifecycle,
    ["reporter", slots.reporter],
    ...files.lifecycle,
    ...storage.lifecycle,
    ...cluster.lifecycle,
    ...tenants.lifecycle,
    ...delivery.lifecycle,
    ["live events", liveEvents],
    ...backgrounds(platforms),
    ...hosting.lifecycle,
    // Commands are read before the first slot is taken, so that no router finds an owner whose stream does not exist.
    ...serving.lifecycle,
    ...slots.lifecycle,
    // First in stopping: from then on no other shard gives us slots, and routers know that this one leaves.
    ["membership", { stop: () => cluster.lease.announce("draining") }],
  );
}

function backgrounds(platforms: PlatformRegistry): NamedPart[] {
  return Object.entries(platforms).flatMap(([name, { background }]): NamedPart[] => (background === undefined ? [] : [[name, background]]));
}
