import { AdminServer } from "../shared/process/metrics/admin-server.js";
import { Descriptors } from "../shared/process/metrics/descriptors.js";
import type { RedisProbe } from "../shared/process/metrics/redis-probe.js";
import type { Opened } from "../shared/process/lifecycle.js";
import type { ShardContext } from "./context.js";
import type { SlotKeeper } from "./cluster/slot-keeper.js";
import type { Cluster } from "./open-cluster.js";
import type { Storage } from "./open-storage.js";

export interface AdminParts {
  readonly probe: RedisProbe;
  readonly storage: Storage;
  readonly cluster: Cluster;
  readonly slots: SlotKeeper;
}

/** Opens the admin server, which reports the state of this process and why it is not ready. */
export function openAdmin({ settings, registry }: ShardContext, parts: AdminParts): Opened {
  const { probe, storage, cluster, slots } = parts;
  const { members, lease } = cluster;
  const descriptors = new Descriptors({ registry });
  const admin = new AdminServer({
    ...settings.admin,
    registry,
    notReady: () => [
      ...(members.hasReplied ? [] : ["redis does not answer"]),
      ...descriptors.problems(),
      ...probe.problems(),
      ...storage.schema.problems(),
      ...storage.sealing.problems(),
      ...(lease.holds() ? [] : [lease.nameTaken ?? "no lease"]),
      ...(slots.complete ? [] : ["slots are still with others"]),
    ],
  });
  return {
    lifecycle: [
      ["descriptors", descriptors],
      ["admin server", admin],
    ],
  };
}
