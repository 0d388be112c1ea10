import { ProcessReporter } from "../shared/cluster/process-reporter.js";
import { LoopLag } from "../shared/flow/loop-lag.js";
import { AdminServer } from "../shared/process/metrics/admin-server.js";
import { Descriptors } from "../shared/process/metrics/descriptors.js";
import { RedisProbe } from "../shared/process/metrics/redis-probe.js";
import { residentBytes } from "../shared/process/resident-bytes.js";
import { version } from "../shared/process/version.js";
import { newestSchema } from "../shared/cluster/schema/schema-version.js";
import type { NamedPart, Opened } from "../shared/process/lifecycle.js";
import type { RouterContext } from "./context.js";
import type { Readiness } from "./http/readiness.js";
import type { Cluster } from "./open-cluster.js";

/** Opens the process's own admin port. */
export function openAdmin(
  { settings, secrets, ring, redis, local, registry, metrics, log }: RouterContext,
  { members, schema, sealing }: Cluster,
  readiness: Readiness,
): Opened {
  const { name, host } = settings;
  const { writer, cache } = redis;
  const probe = new RedisProbe({ role: "router", registry, name, servers: { coordination: writer, cache }, addresses: settings.redis });
  // A shard in the same process watches them.
  const descriptors = local === undefined ? new Descriptors({ registry }) : undefined;
  const admin = new AdminServer({
    ...settings.admin,
    registry,
    notReady: () => [
      ...readiness.problems(),
      ...(members.hasReplied ? [] : ["redis does not answer"]),
      ...(descriptors?.problems() ?? []),
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
      name,
      host,
      version,
      keys: ring.ids,
      schema: newestSchema,
      linkKeys: secrets.linkKeys.fingerprints,
      loopLagMs: Math.round(loopLag.ms),
      memoryBytes: residentBytes(),
      traffic: metrics.traffic(),
    }),
    log,
  });
  return {
    lifecycle: [
      ...(descriptors === undefined ? [] : [["descriptors", descriptors] satisfies NamedPart]),
      ["admin server", admin],
      ["loop lag", loopLag],
      ["reporter", reporter],
      ["redis probe", probe],
    ],
  };
}
