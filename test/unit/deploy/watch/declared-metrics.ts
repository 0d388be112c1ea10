import { SupervisorMetrics } from "../../../../deploy/supervisor/metrics.js";
import { RouterMetrics } from "../../../../router/metrics.js";
import type { ShardGauges } from "../../../../shard/gauges.js";
import { createShardMetrics } from "../../../../shard/metrics.js";
import { Descriptors } from "../../../../shared/metrics/descriptors.js";
import { RedisProbe } from "../../../../shared/metrics/redis-probe.js";
import { createRegistry, type MetricsRegistry } from "../../../../shared/metrics/registry.js";
import { parseRedisAddress } from "../../../../shared/redis/address.js";
import type { TestRedis } from "../../../harness/redis.js";

/** A metric as a process declares it. */
export interface DeclaredMetric {
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  readonly labels: readonly string[];
}

/** What each kind of process declares, by the same code that declares it in the process. That nothing is declared elsewhere is seen on running ones (test/journey/watching.test.ts). */
export function declaredMetrics(redis: TestRedis): Record<"router" | "shard" | "supervisor", DeclaredMetric[]> {
  const { router, shard, supervisor } = registries(redis);
  return { router: declaredIn(router), shard: declaredIn(shard), supervisor: declaredIn(supervisor) };
}

/** The series that processes tell of before anything has happened. */
export async function seriesAtStart(redis: TestRedis): Promise<string[]> {
  const texts = await Promise.all(Object.values(registries(redis)).map((registry) => registry.metrics()));
  return texts.flatMap((text) => text.split("\n").filter((line) => line !== "" && !line.startsWith("#")));
}

function registries(redis: TestRedis): Record<"router" | "shard" | "supervisor", MetricsRegistry> {
  const servers = { coordination: redis.client, cache: redis.client };
  const addresses = { coordination: parseRedisAddress(redis.url), cache: parseRedisAddress(redis.url) };
  const router = createRegistry("router", "router-1");
  new RouterMetrics(router).watch(router, {
    members: () => [],
    directory: () => ({ tenants: 0, keys: 0, ageMs: 0 }),
    openedBytes: () => 0,
    currentBytes: () => 0,
  });
  new Descriptors({ registry: router });
  new RedisProbe({ role: "router", registry: router, name: "router-1", servers, addresses });
  const shard = createRegistry("shard", "shard-1");
  createShardMetrics(shard).watch(noGauges);
  new Descriptors({ registry: shard });
  new RedisProbe({ role: "shard", registry: shard, name: "shard-1", servers, addresses });
  const supervisor = createRegistry("supervisor", "supervisor");
  new Descriptors({ registry: supervisor });
  const children = new SupervisorMetrics(supervisor);
  children.childPlanned("router-1");
  children.redisPlanned("coordination");
  return { router, shard, supervisor };
}

/** Every gauge by its name, reading nothing. */
const noGauges = new Proxy({} as ShardGauges, {
  get: (_, name) =>
    ["sessionStates", "strainedSessions"].includes(String(name)) ? () => [] : name === "quotaWaiting" ? () => ({}) : () => 0,
});

function declaredIn(registry: MetricsRegistry): DeclaredMetric[] {
  // The objects themselves, which know their labels before a series has any.
  const metrics = registry.getMetricsAsArray() as unknown as {
    name: string;
    help: string;
    labelNames: string[];
    type: DeclaredMetric["type"];
  }[];
  return metrics.map(({ name, help, labelNames, type }) => ({ name, help, labels: labelNames.filter((label) => label !== "le"), type }));
}
