import { appendRows } from "../shared/cluster/audit/append-rows.js";
import { createAuditLog } from "../shared/cluster/audit/audit-log.js";
import { AuditWriter } from "../shared/cluster/audit/audit-writer.js";
import { LoopLag } from "../shared/flow/loop-lag.js";
import { RedisProbe } from "../shared/process/metrics/redis-probe.js";
import { confirmKept } from "../shared/redis/script.js";
import { ClusterAudit } from "./cluster/cluster-audit.js";
import { StreamLength } from "./bus/stream-length.js";
import type { Opened } from "../shared/process/lifecycle.js";
import type { ShardContext } from "./context.js";
import { LiveEventWriter } from "./session/live-events/live-event-writer.js";
import { ReplicaGate, watchReplicas } from "./redis/replica-gate.js";

/** What operators see of this process while it runs, and the entries that it writes for them. */
export interface Operations extends Opened {
  readonly audit: ClusterAudit;
  /** Stops later than the other parts here: sessions and slots publish events until then. */
  readonly liveEvents: LiveEventWriter;
  readonly probe: RedisProbe;
  readonly streamLength: StreamLength;
  readonly loopLag: LoopLag;
}

export function openOperations({ settings, redis, registry, metrics, log }: Omit<ShardContext, "hosted" | "tracing">): Operations {
  const { name } = settings;
  const { writer, cache } = redis;
  const replicas = new ReplicaGate({ redis: redis.marker, waitMs: settings.replicaWaitMs, metrics: metrics.replication, log });
  confirmKept(writer, (key) => replicas.confirm(key));
  watchReplicas(registry, replicas);
  const auditWriter = new AuditWriter({ append: (rows) => appendRows(writer, rows), metrics, log: createAuditLog("shard", settings) });
  const probe = new RedisProbe({ role: "shard", registry, name, servers: { coordination: writer, cache }, addresses: settings.redis });
  const streamLength = new StreamLength(writer, name);
  const loopLag = new LoopLag();
  return {
    audit: new ClusterAudit(auditWriter, name),
    liveEvents: new LiveEventWriter({ redis: writer, member: name, metrics, log }),
    probe,
    streamLength,
    loopLag,
    lifecycle: [
      ["audit", auditWriter],
      ["redis probe", probe],
      ["replicas", replicas],
      ["stream length", streamLength],
      ["loop lag", loopLag],
    ],
  };
}
