import { SupervisorMetrics } from "../../../../deploy/supervisor/metrics.js";
import { RouterMetrics } from "../../../../router/metrics.js";
import { watchShards } from "../../../../router/bus/member-gauges.js";
import { watchRecords } from "../../../../router/sessions/record-gauges.js";
import { watchDirectory } from "../../../../router/tenant/directory-gauges.js";
import { watchCommands } from "../../../../shard/bus/command-gauges.js";
import { watchFiles } from "../../../../shard/files/download/file-gauges.js";
import { watchHost, watchRefusals, watchRestrictions } from "../../../../shard/cluster/host-gauges.js";
import { watchSlots } from "../../../../shard/cluster/slot-gauges.js";
import { watchIncoming } from "../../../../shard/tenant/incoming-turns.js";
import { createShardMetrics } from "../../../../shard/metrics.js";
import { watchReplicas } from "../../../../shard/redis/replica-gate.js";
import { watchQuotas } from "../../../../shard/tenant/quota-gauges.js";
import { watchCourier } from "../../../../shard/webhook/courier-gauges.js";
import { Descriptors } from "../../../../shared/process/metrics/descriptors.js";
import { RedisProbe } from "../../../../shared/process/metrics/redis-probe.js";
import { createRegistry, type MetricsRegistry } from "../../../../shared/process/metrics/registry.js";
import { parseRedisAddress } from "../../../../shared/redis/address.js";
import type { TestRedis } from "../../../harness/redis.js";

/** A metric as a process declares it. */
export interface DeclaredMetric {
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  readonly labels: readonly string[];
}

/**
 * Returns the metrics of each kind of process from the code that declares them. test/journey/watching.test.ts checks running processes for
 * others.
 */
export function declaredMetrics(redis: TestRedis): Record<"router" | "shard" | "supervisor", DeclaredMetric[]> {
  const { router, shard, supervisor } = registries(redis);
  return { router: declaredIn(router), shard: declaredIn(shard), supervisor: declaredIn(supervisor) };
}

/** Returns the series that processes report before anything has happened. */
export async function seriesAtStart(redis: TestRedis): Promise<string[]> {
  const texts = await Promise.all(Object.values(registries(redis)).map((registry) => registry.metrics()));
  return texts.flatMap((text) => text.split("\n").filter((line) => line !== "" && !line.startsWith("#")));
}

function registries(redis: TestRedis): Record<"router" | "shard" | "supervisor", MetricsRegistry> {
  const servers = { coordination: redis.client, cache: redis.client };
  const addresses = { coordination: parseRedisAddress(redis.url), cache: parseRedisAddress(redis.url) };
  const router = createRegistry("router", "router-1");
  new RouterMetrics(router);
  watchShards(router, { all: () => [] });
  watchDirectory(router, { extent: { tenants: 0, keys: 0, ageMs: 0 } });
  watchRecords(router, { opened: { size: 0 }, records: { bytes: 0 } });
  new Descriptors({ registry: router });
  new RedisProbe({ role: "router", registry: router, name: "router-1", servers, addresses });
  const shard = createRegistry("shard", "shard-1");
  createShardMetrics(shard);
  watchSlots(shard, { held: { count: 0 }, keeper: { isDrained: false }, lease: { secondsLeft: () => 0 } });
  const connects = { waiting: 0, yielding: 0, inProgress: 0, allowed: 0 };
  watchHost(shard, { size: 0, unreadable: 0, proxyless: 0, states: [], connects });
  watchRestrictions(shard, { restricted: [] });
  watchRefusals(shard, { strained: () => [] });
  watchCommands(shard, { commands: { running: 0, waiting: 0 }, streamLength: { entries: 0 }, local: undefined, paceLine: { waiting: 0 } });
  watchCourier(shard, { inFlight: 0, waiting: 0, oldestSeconds: 0, openCircuits: 0 });
  watchQuotas(shard, { downloads: { waiting: 0 }, webhooks: { waiting: 0 } });
  watchFiles(shard, { images: { pending: 0 }, videos: { pending: 0 }, downloads: { pending: 0 } });
  watchIncoming(shard, { waiting: 0 });
  watchReplicas(shard, { replicas: 0 });
  new Descriptors({ registry: shard });
  new RedisProbe({ role: "shard", registry: shard, name: "shard-1", servers, addresses });
  const supervisor = createRegistry("supervisor", "supervisor");
  new Descriptors({ registry: supervisor });
  const children = new SupervisorMetrics(supervisor);
  children.childPlanned("router-1");
  children.redisPlanned("coordination");
  return { router, shard, supervisor };
}

function declaredIn(registry: MetricsRegistry): DeclaredMetric[] {
  // The registry's own objects know their labels before a series has any.
  const metrics = registry.getMetricsAsArray() as unknown as {
    name: string;
    help: string;
    labelNames: string[];
    type: DeclaredMetric["type"];
  }[];
  return metrics.map(({ name, help, labelNames, type }) => ({ name, help, labels: labelNames.filter((label) => label !== "le"), type }));
}
