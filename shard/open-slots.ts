import type { ClusterKeys } from "../shared/cluster/cluster-keys.js";
import { ProcessReporter } from "../shared/cluster/process-reporter.js";
import { notifySupervisor } from "../shared/process/run.js";
import { version } from "../shared/process/version.js";
import { residentBytes } from "../shared/process/resident-bytes.js";
import { newestSchema } from "../shared/cluster/schema/schema-version.js";
import type { CommandServer } from "./bus/command-server.js";
import type { Opened } from "../shared/process/lifecycle.js";
import type { ShardContext } from "./context.js";
import { watchSlots } from "./cluster/slot-gauges.js";
import { SlotKeeper } from "./cluster/slot-keeper.js";
import type { Load } from "./session/live-events/live-event-writer.js";
import type { Cluster } from "./open-cluster.js";
import type { OpenedHost } from "./open-host.js";
import type { Operations } from "./open-operations.js";
import { Deadlines, type DeletionClock } from "./session/deadlines.js";
import type { PlatformRegistry } from "./session/platform-adapter.js";

/** Time to drain all slots when the process ends. It waits for a send that has begun, 30 s at most. */
const drainMs = 40_000;

export interface Slots extends Opened {
  readonly keeper: SlotKeeper;
  /** Starts long before the slots, so that operators see the process from then on. */
  readonly reporter: ProcessReporter;
}

export interface SlotParts {
  readonly cluster: Cluster;
  readonly operations: Operations;
  readonly hosting: OpenedHost;
  readonly commands: CommandServer;
  readonly platforms: PlatformRegistry;
  /** Identify the deployment's keys in the reports of its processes. */
  readonly clusterKeys: Omit<ClusterKeys, "host" | "hasNoApp">;
  readonly deletionClock: DeletionClock;
}

export function openSlots({ settings, secrets, redis, registry, metrics, log }: ShardContext, parts: SlotParts): Slots {
  const { name, host: hostName } = settings;
  const { writer, subscriber } = redis;
  const { members, lease } = parts.cluster;
  const { audit, liveEvents, loopLag } = parts.operations;
  const { held, host } = parts.hosting;
  const { commands } = parts;
  const keeper = new SlotKeeper({
    redis: writer,
    subscriber,
    members,
    lease,
    held,
    name,
    host: hostName,
    log,
    timing: settings.timing,
    dropMs: Math.max(...Object.values(parts.platforms).map((platform) => platform.dropMs)),
    onProgress: (count) => notifySupervisor({ type: "progress", phase: "slots taken", done: count }),
    onTakenOver: (takeover) => audit.takenOver(takeover),
    listener: {
      acquired: (acquired) => host.acquired(acquired),
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
  watchSlots(registry, { held, keeper, lease });
  const reporter = new ProcessReporter({
    redis: writer,
    report: () => ({
      role: "shard",
      name,
      host: hostName,
      version,
      keys: secrets.credentialRing.ids,
      schema: newestSchema,
      ...parts.clusterKeys,
      slots: held.count,
      sessions: host.size,
      loopLagMs: Math.round(loopLag.ms),
      memoryBytes: residentBytes(),
    }),
    log,
  });
  // Reports first, so that an operator who reads the members after the event finds the same figures.
  const load = (): Load => {
    reporter.reportNow();
    return { slots: held.count, sessions: host.size, drained: keeper.isDrained };
  };
  keeper.on("left", () => liveEvents.load(load));
  keeper.on("acquired", (acquired) => {
    liveEvents.slots(acquired.map(({ slot }) => slot));
    liveEvents.load(load);
  });
  const deadlines = new Deadlines({
    sessions: () => host.all(),
    live: () => lease.holds(),
    onBlocked: metrics.massDeleteBlocked,
    log,
    ...parts.deletionClock,
  });
  return {
    keeper,
    reporter,
    lifecycle: [
      ["slots", keeper, { stopMs: drainMs }],
      ["deadlines", deadlines],
    ],
  };
}
