import { randomUUID } from "node:crypto";
import type { LocalBus } from "../shared/bus/local-bus.js";
import { requireFit } from "../shared/cluster/require-fit.js";
import type { Log } from "../shared/log/logger.js";
import { createRegistry } from "../shared/process/metrics/registry.js";
import type { Lifecycle } from "../shared/process/lifecycle.js";
import { openTracing } from "../shared/process/trace/open-tracing.js";
import { apiPaths, mountApis } from "./apis.js";
import type { RouterSecrets, RouterSettings } from "./config.js";
import type { RouterContext } from "./context.js";
import { DeletionFeed } from "./media/deletion-feed.js";
import { RouterMetrics } from "./metrics.js";
import { EventFeed } from "./admin/live-events/event-feed.js";
import { openAdmin } from "./open-admin.js";
import { openCluster } from "./open-cluster.js";
import { openCommands } from "./open-commands.js";
import { openGuard } from "./open-guard.js";
import { openHttp } from "./open-http.js";
import { openRecords } from "./open-records.js";
import { openRedis } from "./open-redis.js";
import { openTenants } from "./open-tenants.js";

export interface RouterOptions {
  readonly settings: RouterSettings;
  readonly secrets: RouterSecrets;
  readonly lifecycle: Lifecycle;
  readonly log: Log;
  /** Set if a shard runs in the same process. */
  readonly local?: LocalBus;
}

/** Composition root of a router: opens its parts in the order of their dependencies, then defines the order in which they start. */
export async function buildRouter({ settings, secrets, lifecycle, log, local }: RouterOptions): Promise<void> {
  const redis = await openRedis(settings.redis, log);
  const { writer, subscriber, cache } = redis;
  const ring = secrets.credentialRing;
  const own = { host: settings.host, linkKeys: secrets.linkKeys.fingerprints };
  const written = await requireFit({ writer, cache, addresses: settings.redis, ring, own, log });
  const registry = createRegistry("router", settings.name, local === undefined);
  const metrics = new RouterMetrics(registry);
  const tracing = await openTracing("router", settings, lifecycle);
  const life = `${settings.name}:${randomUUID().slice(0, 8)}`;
  const context: RouterContext = { settings, secrets, ring, redis, local, registry, metrics, tracing, life, log };

  const cluster = openCluster(context, written);
  const tenants = openTenants(context, cluster.schema);
  const records = openRecords(context);
  const serving = openCommands(context, cluster, records);
  const { guard, ...guarding } = openGuard(context);
  const deletions = new DeletionFeed(subscriber);
  const events = new EventFeed({ redis: writer, stands: (principal) => tenants.keys.stands(principal), metrics, log });
  const paths = apiPaths(settings.baseUrls);
  const http = openHttp(context, paths.open);
  const admin = openAdmin(context, cluster, http.readiness);
  mountApis(context, { app: http.app, paths, cluster, tenants, records, serving, guard, deletions, events });

  lifecycle.add(
    ...redis.lifecycle,
    ...admin.lifecycle,
    ...cluster.lifecycle,
    ...tenants.lifecycle,
    ...records.lifecycle,
    ["deletion feed", deletions],
    ...guarding.lifecycle,
    ...serving.lifecycle,
    ...http.lifecycle,
    ["event feed", { stop: () => events.stop() }],
    http.last,
  );
}
